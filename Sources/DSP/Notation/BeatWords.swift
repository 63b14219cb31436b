public import Timebase

extension Subdivision {
    /// Reads `1` to `12`, a tuplet (`triplet`, `quintuplet`, `sextuplet`, `septuplet`) or a note value (`quarter`, `8th`,
    /// `16th`, `32nd`, also in words and as plurals: `eighths`, `quavers`), and after a colon the levels of the parts, as in `4:0101`.
    ///
    /// A tuplet has the same number of parts in every beat. A note value means itself: `8th` divides a quarter in two, and
    /// leaves the eighths of 7/8 undivided.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "subdivision") { scanner throws(NotationError) in
            try scanner.subdivision()
        }
    }

    /// The longer of two names that begin alike comes first.
    fileprivate static let names: [(name: String, parts: Parts)] =
        [("triplet", 3), ("quintuplet", 5), ("sextuplet", 6), ("septuplet", 7)].flatMap { name, count in
            [(name + "s", .count(count)), (name, .count(count))]
        }
        + [
            ("quarter", 4), ("crotchet", 4), ("eighth", 8), ("8th", 8), ("quaver", 8), ("sixteenth", 16), ("16th", 16),
            ("semiquaver", 16), ("thirty-second", 32), ("32nd", 32),
        ].flatMap { name, denominator -> [(name: String, parts: Parts)] in
            guard let value = NoteValue(denominator) else { return [] }
            return [(name + "s", .notes(value)), (name, .notes(value))]
        }
}

extension Swing {
    /// Reads a percentage from 50 to 75 with at most two decimals (`66.67`, `60%`) or a ratio (`2:1`, `3:2`).
    package init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "swing") { scanner throws(NotationError) in try scanner.swing() }
    }
}

extension CrossRhythm {
    /// Reads `3:4` or `3:4:5`: the strokes of each voice of a polyrhythm, or the beats of each of a polymeter.
    package static func voices(parsing text: String) throws(NotationError) -> [Int] {
        try NotationScanner.read(text, as: "proportion") { scanner throws(NotationError) in try scanner.proportion() }
    }
}

extension NotationScanner {
    internal mutating func subdivision() throws(NotationError) -> Subdivision {
        var named: Subdivision.Parts?
        for known in Subdivision.names where named == nil && skip(word: known.name) { named = known.parts }
        let parts =
            if let named { named } else {
                Subdivision.Parts.count(
                    try integer("the parts of a beat (1 to 12, or 8th, triplet, 16th, quintuplet)", in: 1...12))
            }
        guard skip(":") else { return Subdivision(parts: parts) }
        var wanted: Int?
        if case .count(let count) = parts { wanted = count }
        var levels: [AccentLevel] = []
        while levels.count < wanted ?? 12 {
            guard let digit = next, let number = digit.wholeNumberValue, digit.isDigit,
                AccentLevel.numbers.contains(number)
            else {
                // The number of parts depends on the beat.
                if wanted == nil, !levels.isEmpty { break }
                let digits = "digits from 0 to \(AccentLevel.numbers.upperBound), one for each part"
                throw unreadable(wanted.map { "\($0) \(digits)" } ?? digits)
            }
            advance()
            levels.append(AccentLevel.allCases[number])
        }
        return Subdivision(parts: parts, levels: levels)
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

    /// Two or more whole numbers from 1 to 64, separated by colons.
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
