/// Further voices against the beats of the bar.
///
/// The first number that is as many as the bar has beats is the beat itself and has no further voice: 3:4 in 4/4 is three
/// against the beat. In a bar of another length all numbers are voices.
public enum CrossRhythm: Sendable, Hashable {
    /// The bar divided evenly in other ways: 3 against 4 spans the same bar.
    case polyrhythm([Int])
    /// Bars of other lengths over the same beats: each voice strikes the first beat of its own bar.
    case polymeter([Int])

    /// Three voices besides the beat are as many as a bank of sounds holds.
    public static var mostVoices: Int { 3 }

    /// The numbers, in the order they were said.
    public var counts: [Int] {
        switch self {
        case .polyrhythm(let counts), .polymeter(let counts): counts
        }
    }

    /// Reads `3:4` or `3:4:5` as a polyrhythm.
    public static func polyrhythm(parsing text: String) throws(NotationError) -> CrossRhythm {
        var scanner = NotationScanner(text)
        let counts = try scanner.proportion()
        try scanner.expectEnd(after: "polyrhythm")
        return .polyrhythm(counts)
    }

    /// Reads `4:3` or `4:3:7` as a polymeter.
    public static func polymeter(parsing text: String) throws(NotationError) -> CrossRhythm {
        var scanner = NotationScanner(text)
        let counts = try scanner.proportion()
        try scanner.expectEnd(after: "polymeter")
        return .polymeter(counts)
    }
}

extension NotationScanner {
    /// Two or more whole numbers from 1 to 64 with colons between them.
    internal mutating func proportion() throws(NotationError) -> [Int] {
        var counts = [try integer("a number of strokes, such as the 3 of 3:4", in: 1...64)]
        guard next == ":" else { throw unreadable(": and a second number, as in 3:4") }
        while skip(":") {
            guard counts.count <= CrossRhythm.mostVoices else {
                throw outOfRange("at most \(CrossRhythm.mostVoices) voices against the beat", at: column)
            }
            counts.append(try integer("a number of strokes, such as the 4 of 3:4", in: 1...64))
        }
        return counts
    }
}
