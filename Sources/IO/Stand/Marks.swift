/// Marks that a device makes, strikes out and brings back.
///
/// A mark never changes: moving one strikes it out and makes another. So the order in which the changes of several devices
/// arrive does not matter.
package struct Marks: Decodable, Sendable, Equatable {
    /// A stroke of the pen or the marker, or a text.
    package struct Mark: Codable, Sendable, Equatable {
        /// 32 hexadecimal digits, chosen by the device.
        package let id: String
        package let score: String
        package let page: Int
        package let layer: Int
        package let kind: String
        package let colour: String
        package let width: Double
        /// Of a pen: deltas of x, y and pressure in base64; of a text: the text.
        package let body: String

        /// The longest body: 32 KiB in base64.
        package static let longestBody = (32 << 10) * 4 / 3 + 4

        package init(
            id: String, score: String, page: Int, layer: Int, kind: String, colour: String, width: Double, body: String
        ) {
            (self.id, self.score, self.page, self.layer) = (id, score, page, layer)
            (self.kind, self.colour, self.width, self.body) = (kind, colour, width, body)
        }

        /// Whether it can be stored and drawn.
        var isWhole: Bool {
            PageRequest.isIdentity(id) && PageRequest.isIdentity(score) && (1...9_999).contains(page)
                && (0...99).contains(layer) && ["pen", "marker", "text"].contains(kind)
                && width.isFinite && (0...65_536).contains(width) && body.utf8.count <= Self.longestBody
                && colour.utf8.count == 7 && colour.hasPrefix("#")
                && colour.utf8.dropFirst().allSatisfy { ($0 | 32) >= 97 && ($0 | 32) <= 102 || (48...57).contains($0) }
        }
    }

    package let make: [Mark]?
    package let strike: [String]?
    package let revive: [String]?

    package init(make: [Mark] = [], strike: [String] = [], revive: [String] = []) {
        (self.make, self.strike, self.revive) = (make, strike, revive)
    }

    var isWhole: Bool {
        (make ?? []).allSatisfy(\.isWhole)
            && ((strike ?? []) + (revive ?? [])).allSatisfy { PageRequest.isIdentity($0) }
    }
}

/// A mark as the server knows it.
package struct StoredMark: Sendable, Equatable {
    package let mark: Marks.Mark
    /// The order of changes; each has its own.
    package let sequence: Int64
    package let isDead: Bool
}

/// Marks that are new to a device.
struct MarksMessage: Encodable {
    struct Made: Encodable {
        let id: String, score: String, page: Int, layer: Int, kind: String, colour: String, width: Double, body: String
        let seq: Int64, dead: Bool
    }
    let type = "marks"
    let seq: Int64
    let made: [Made]
    let struck: [String]

    /// A mark that was struck out before the device heard of it comes too: a device that made it must learn so.
    init(_ marks: [StoredMark]) {
        seq = marks.last?.sequence ?? 0
        made = marks.filter { !$0.isDead }.map(Self.made)
        struck = marks.filter(\.isDead).map(\.mark.id)
    }

    private static func made(_ stored: StoredMark) -> Made {
        let mark = stored.mark
        return Made(
            id: mark.id, score: mark.score, page: mark.page, layer: mark.layer, kind: mark.kind, colour: mark.colour,
            width: mark.width, body: mark.body, seq: stored.sequence, dead: stored.isDead)
    }
}
