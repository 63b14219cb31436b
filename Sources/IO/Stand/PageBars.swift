internal import FoundationEssentials

/// The systems and bars of a page, as a player corrected them.
package struct PageBars: Codable, Sendable, Equatable {
    package struct System: Codable, Sendable, Equatable {
        package let x0: Int, y0: Int, x1: Int, y1: Int
        package let staves: Int
        package let bars: [Bar]

        package init(x0: Int, y0: Int, x1: Int, y1: Int, staves: Int, bars: [Bar]) {
            (self.x0, self.y0, self.x1, self.y1) = (x0, y0, x1, y1)
            (self.staves, self.bars) = (staves, bars)
        }

        var isWhole: Bool {
            let sides = [x0, y0, x1, y1] + bars.flatMap { [$0.x0, $0.x1] }
            return sides.allSatisfy { (0...65_536).contains($0) } && (0...64).contains(staves) && bars.count <= 256
        }
    }

    /// `[x0, x1, origin]`.
    package struct Bar: Codable, Sendable, Equatable {
        package enum Origin: String, Codable, Sendable { case found, hand, mpos }
        package let x0: Int, x1: Int
        package let origin: Origin

        package init(x0: Int, x1: Int, origin: Origin) { (self.x0, self.x1, self.origin) = (x0, x1, origin) }

        package init(from decoder: any Decoder) throws {
            var values = try decoder.unkeyedContainer()
            x0 = try values.decode(Int.self)
            x1 = try values.decode(Int.self)
            origin = try values.decode(Origin.self)
        }

        package func encode(to encoder: any Encoder) throws {
            var values = encoder.unkeyedContainer()
            try values.encode(x0)
            try values.encode(x1)
            try values.encode(origin)
        }
    }

    /// The most bars of a page: the densest pages of orchestral parts have about a hundred.
    private static let mostBars = 256

    package let score: String
    package let page: Int
    package let systems: [System]
    package let accepted: Bool?
    /// Of the change; a device that gives one is told when it is kept.
    package var id: String?

    package init(score: String, page: Int, systems: [System], accepted: Bool?) {
        (self.score, self.page, self.systems, self.accepted) = (score, page, systems, accepted)
    }

    var isWhole: Bool {
        PageRequest.isIdentity(score) && (id.map(PageRequest.isIdentity) ?? true) && (1...9_999).contains(page)
            && systems.count <= 64 && systems.allSatisfy(\.isWhole)
            && systems.reduce(0) { $0 + $1.bars.count } <= Self.mostBars
    }
}
