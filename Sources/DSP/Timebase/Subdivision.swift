/// How a beat is divided, and how loud its parts are.
public struct Subdivision: Sendable, Hashable {
    /// 1 to 12 equal parts.
    public let count: Int
    /// The level of each part. The first part is the beat itself: silent here silences it, otherwise the beat keeps its
    /// own level.
    public let levels: [AccentLevel]

    /// The beat as it is.
    public static var whole: Subdivision { Subdivision(checked: 1) }

    /// A beat in `count` equal parts.
    public init(_ count: Int) throws(NotationError) {
        guard (1...12).contains(count) else {
            throw .outOfRange(text: "\(count)", column: 1, allowed: "a beat has 1 to 12 parts")
        }
        self.init(checked: count)
    }

    /// Reads `1` to `12`, `8th`, `triplet`, `16th`, `quintuplet`, `sextuplet`, `septuplet` or `32nd`, and after a colon
    /// the levels of the parts, as in `4:0101`. The names are those of a quarter's parts, and mean as many parts of any
    /// beat: `8th` is two, in 7/8 too.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.subdivision()
        try scanner.expectEnd(after: "subdivision")
    }

    internal init(checked count: Int, levels: [AccentLevel]? = nil) {
        self.count = count
        self.levels = levels ?? Array(repeating: .normal, count: count)
    }

    fileprivate static let names: [(name: String, count: Int)] = [
        ("8th", 2), ("triplet", 3), ("16th", 4), ("quintuplet", 5), ("sextuplet", 6), ("septuplet", 7), ("32nd", 8),
    ]
}

extension NotationScanner {
    internal mutating func subdivision() throws(NotationError) -> Subdivision {
        var count: Int?
        for known in Subdivision.names where count == nil && skip(word: known.name) { count = known.count }
        let parts =
            if let count { count } else {
                try integer("the parts of a beat (1 to 12, or 8th, triplet, 16th, quintuplet)", in: 1...12)
            }
        guard skip(":") else { return Subdivision(checked: parts) }
        var levels: [AccentLevel] = []
        while levels.count < parts {
            guard let digit = next, let number = digit.wholeNumberValue, digit.isDigit,
                let level = AccentLevel(rawValue: UInt8(number))
            else { throw unreadable("\(parts) digits from 0 to 3, one for each part") }
            advance()
            levels.append(level)
        }
        return Subdivision(checked: parts, levels: levels)
    }
}
