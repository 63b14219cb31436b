public import Timebase

extension Meter {
    /// Reads `4/4`, `7/8` or `2+2+3/8`.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "meter") { scanner throws(NotationError) in try scanner.meter() }
    }
}

extension NotationScanner {
    internal mutating func meter(longestBar: Int = Meter.longestBar) throws(NotationError) -> Meter {
        let start = column
        let groups = try self.groups("the beats of a bar, as in 4/4 or 2+2+3/8", longestBar: longestBar)
        guard skip("/") else { throw unreadable("/ and the note value of a beat, as in 4/4") }
        let denominator = try integer("the note value of a beat", in: 1...Meter.finestBeat)
        guard groups.reduce(0, +) <= longestBar else { throw barTooLong(longestBar, at: start) }
        return Meter(groups: groups, over: denominator)
    }

    /// Whole numbers, separated by plus signs.
    internal mutating func groups(
        _ what: String, longestBar: Int = Meter.longestBar
    ) throws(NotationError) -> [Int] {
        var groups = [try integer(what, in: 1...longestBar)]
        while skip("+") { groups.append(try integer("the beats of the next group", in: 1...longestBar)) }
        return groups
    }

    internal func barTooLong(_ longest: Int = Meter.longestBar, at column: Int) -> NotationError {
        outOfRange("use 1 to \(longest) beats a bar", at: column)
    }
}
