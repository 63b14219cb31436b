public import Timebase

extension GapPlan {
    /// Reads `3:1` or `3:1..1:3`.
    package init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "gap plan") { scanner throws(NotationError) in try scanner.gapPlan() }
    }
}

extension RandomMute {
    /// Reads `30`, `30%`, `0..50/32b` or `0..50 over 32 bars` (growing over 32 bars).
    package init(parsing text: String, seed: UInt64) throws(NotationError) {
        self = try NotationScanner.read(text, as: "share of muted beats") { scanner throws(NotationError) in
            try scanner.randomMute(seed: seed)
        }
    }
}

extension CountIn {
    /// Reads `2`, `2bars` or `4beats`.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "count-in") { scanner throws(NotationError) in
            let count = try scanner.integer("a number of bars, or of beats as in 4beats", in: 1...1_000)
            if scanner.skip(word: "beats") || scanner.skip(word: "beat") { return .beats(count) }
            _ = scanner.skip(word: "bars") || scanner.skip(word: "bar") || scanner.skip("b")
            return .bars(count)
        }
    }
}

extension Duration {
    /// Reads seconds without a unit, or with `s`, `m` (minutes) and `h`, or minutes and seconds as `2:30`; more than 0 and
    /// at most 31 days.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "duration") { scanner throws(NotationError) in
            try scanner.duration()
        }
    }
}

extension NotationScanner {
    internal mutating func gapPlan() throws(NotationError) -> GapPlan {
        let start = column
        let first = try gapPair()
        let last = skip(word: "..") ? try gapPair() : first
        return try inRange(from: start) { () throws(PlanError) in try GapPlan(from: first, to: last) }
    }

    private mutating func gapPair() throws(NotationError) -> (play: Int, mute: Int) {
        let play = try integer("the bars to play, such as the 3 of 3:1", in: 0...256)
        guard skip(":") else { throw unreadable(": and the bars to mute, as in 3:1") }
        return (play, try integer("the bars to mute, such as the 1 of 3:1", in: 0...256))
    }

    internal mutating func randomMute(seed: UInt64) throws(NotationError) -> RandomMute {
        let start = column
        let first = try decimal("a percentage of beats to mute, such as 30 or 0..50/32b")
        _ = skip("%")
        var last: Ratio?
        var bars = 0
        if skip(word: "..") {
            last = try decimal("the percentage to arrive at, such as the 50 of 0..50/32b")
            _ = skip("%")
            guard skip("/") || skip(word: " over ") else {
                throw unreadable("/ and the bars it takes, as in 0..50/32b")
            }
            bars = try integer("a number of bars", in: 1...1_000_000)
            skipBlanks()
            guard skip(word: "bars") || skip("b") else { throw unreadable("b or bars") }
        }
        return try inRange(from: start) { () throws(PlanError) in
            try RandomMute(percent: first, to: last, over: Int64(bars), seed: seed)
        }
    }

    fileprivate mutating func duration() throws(NotationError) -> Duration {
        let what = "a duration such as 90, 90s, 10m, 1h30m or 2:30"
        let start = column
        var total = try decimal(what)
        if skip(":") {
            total = total.multiplied(by: Ratio(60))?.adding(try decimal("the seconds after the colon")) ?? Ratio(0)
        } else if let unit = timeUnit() {
            total = total.multiplied(by: Ratio(unit)) ?? Ratio(0)
            while next?.isDigit == true {
                let more = try decimal(what)
                guard let unit = timeUnit() else { throw unreadable("s, m or h") }
                total = more.multiplied(by: Ratio(unit)).flatMap(total.adding) ?? Ratio(0)
            }
        }
        return try duration(of: total, at: start)
    }

    /// The duration of a number of seconds that starts at `column`.
    internal func duration(of seconds: Ratio, at column: Int) throws(NotationError) -> Duration {
        // 31 days: longer than any practice, and far from overflow of a frame count.
        guard seconds > Ratio(0), seconds <= Ratio(31 * 24 * 3_600) else {
            throw outOfRange("use more than 0 seconds and at most 31 days", at: column)
        }
        // Exact: the text has at most nine decimals, a duration has eighteen.
        let attoseconds = Int128(seconds.numerator) * 1_000_000_000_000_000_000 / Int128(seconds.denominator)
        return Duration(attoseconds: attoseconds)
    }

    private mutating func timeUnit() -> Int64? {
        if skip(word: "sec") || skip("s") { return 1 }
        if skip(word: "min") || skip("m") { return 60 }
        return skip("h") ? 3_600 : nil
    }
}
