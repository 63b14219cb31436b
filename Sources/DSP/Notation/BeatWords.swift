public import Timebase

extension Subdivision {
    /// Reads `1` to `12`, `8th`, `triplet`, `16th`, `quintuplet`, `sextuplet`, `septuplet` or `32nd`, and after a colon
    /// the levels of the parts, as in `4:0101`. The names are those of a quarter's parts, and mean as many parts of any
    /// beat: `8th` is two, in 7/8 too.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "subdivision") { scanner throws(NotationError) in
            try scanner.subdivision()
        }
    }

    fileprivate static let names: [(name: String, count: Int)] = [
        ("8th", 2), ("triplet", 3), ("16th", 4), ("quintuplet", 5), ("sextuplet", 6), ("septuplet", 7), ("32nd", 8),
    ]
}

extension Swing {
    /// Reads a percentage from 50 to 75 with at most two decimals (`66.67`, `60%`) or a proportion (`2:1`, `3:2`).
    package init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "swing") { scanner throws(NotationError) in try scanner.swing() }
    }
}

extension CrossRhythm {
    /// Reads `3:4` or `3:4:5` as a polyrhythm.
    package static func polyrhythm(parsing text: String) throws(NotationError) -> CrossRhythm {
        .polyrhythm(
            try NotationScanner.read(text, as: "polyrhythm") { scanner throws(NotationError) in
                try scanner.proportion()
            })
    }

    /// Reads `4:3` or `4:3:7` as a polymeter.
    package static func polymeter(parsing text: String) throws(NotationError) -> CrossRhythm {
        .polymeter(
            try NotationScanner.read(text, as: "polymeter") { scanner throws(NotationError) in
                try scanner.proportion()
            })
    }
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

    internal mutating func swing() throws(NotationError) -> Swing {
        let start = column
        let first = try decimal("a percentage from 50 to 75, or a proportion such as 2:1")
        let share: Ratio?
        if skip(":") {
            let second = try decimal("the second part of the proportion, such as the 1 of 2:1")
            share = first.adding(second).flatMap { first.divided(by: $0) }
        } else {
            _ = skip("%")
            share = first.divided(by: Ratio(100))
        }
        return try inRange(from: start) { () throws(PlanError) in try Swing(share: share ?? Ratio(0)) }
    }

    /// Two or more whole numbers from 1 to 64 with colons between them.
    internal mutating func proportion() throws(NotationError) -> [Int] {
        var counts = [try integer("a number of strokes, such as the 3 of 3:4", in: 1...64)]
        guard next == ":" else { throw unreadable(": and a second number, as in 3:4") }
        while skip(":") {
            guard counts.count <= CrossRhythm.mostVoices else {
                throw outOfRange("use at most \(CrossRhythm.mostVoices) voices against the beat", at: column)
            }
            counts.append(try integer("a number of strokes, such as the 4 of 3:4", in: 1...64))
        }
        return counts
    }
}
