public import Timebase

extension AccentPattern {
    /// Reads `4`, `3+2+2`, `X.x.` (`AccentLevel.letter`; `/` between bars), `3,1,2,1`, `none` or `only`.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "accent pattern") { scanner throws(NotationError) in
            try scanner.accentPattern()
        }
    }
}

extension NotationScanner {
    internal mutating func accentPattern() throws(NotationError) -> AccentPattern {
        if skip(word: "none") { return .none }
        if skip(word: "only") { return .only }
        if let next, AccentLevel(letter: next) != nil { return .levels(try levelBars()) }
        let what = "a number of beats (4), groups (3+2+2), letters (X.x.), levels (3,1,2,1), none or only"
        guard next?.isDigit == true else { throw next == "-" ? notACount(at: column) : unreadable(what) }
        let start = column
        let first = take(while: \.isDigit)
        switch next {
        case ",":
            rewind(to: start - 1)
            return .levels([try levelDigits()])
        case "+":
            rewind(to: start - 1)
            let groups = try groups("the beats of a group")
            guard groups.reduce(0, +) <= Meter.longestBar else { throw barTooLong(at: start) }
            return .groups(groups)
        default:
            guard let count = Int(first), (1...Meter.longestBar).contains(count) else { throw notACount(at: start) }
            return .every(count)
        }
    }

    private func notACount(at column: Int) -> NotationError {
        outOfRange("accent every 1st to \(Meter.longestBar)th beat, such as 4", at: column)
    }

    /// Letters, with `/` between bars.
    private mutating func levelBars() throws(NotationError) -> [[AccentLevel]] {
        var bars: [[AccentLevel]] = []
        repeat {
            let start = column
            let levels = take { AccentLevel(letter: $0) != nil }.compactMap(AccentLevel.init(letter:))
            guard !levels.isEmpty else { throw unreadable("a letter for each beat of the bar (\(AccentLevel.legend))") }
            guard levels.count <= Meter.longestBar else { throw barTooLong(at: start) }
            bars.append(levels)
        } while skip("/")
        return bars
    }

    /// Two or more numbers of levels, separated by commas.
    private mutating func levelDigits() throws(NotationError) -> [AccentLevel] {
        var levels: [AccentLevel] = []
        repeat {
            let what = "a level from 0 (silent) to \(AccentLevel.accent.number) (accent)"
            levels.append(AccentLevel.allCases[try integer(what, in: AccentLevel.numbers)])
            guard levels.count <= Meter.longestBar else { throw barTooLong(at: column) }
        } while skip(",")
        return levels
    }
}
