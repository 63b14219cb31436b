/// How many beats make a bar, in which groups, and which note value is one beat: 4/4, 7/8 or 2+2+3/8.
public struct Meter: Sendable, Hashable {
    /// The beats of each group, in order; one group where nothing else was said.
    public let groups: [Int]
    /// The note value of a beat as a part of a whole note: 4 for quarters, 8 for eighths.
    public let denominator: Int

    /// The most beats one bar can have.
    public static var longestBar: Int { 1_024 }
    /// The most beats of a bar in a tempo map, where klick sets no bound.
    internal static var longestMapBar: Int { 16_384 }
    /// The finest note value that can be a beat.
    public static var finestBeat: Int { 4_096 }

    /// Four quarters.
    public static var common: Meter { Meter(groups: [4], over: 4) }

    /// A meter of one group of `beats`.
    public init(_ beats: Int, _ denominator: Int) throws(NotationError) {
        guard (1...Self.longestBar).contains(beats), (1...Self.finestBeat).contains(denominator) else {
            throw .outOfRange(text: "\(beats)/\(denominator)", column: 1, allowed: Self.allowed)
        }
        self.init(groups: [beats], over: denominator)
    }

    /// Reads `4/4`, `7/8` or `2+2+3/8`.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.meter()
        try scanner.expectEnd(after: "meter")
    }

    /// The beats of a bar.
    public var beats: Int { groups.reduce(0, +) }

    /// The levels of a bar where no accents were named: the first beat accented, the first of each further group medium.
    public var levels: [AccentLevel] { AccentPattern.levels(ofGroups: groups) }

    internal init(groups: [Int], over denominator: Int) { (self.groups, self.denominator) = (groups, denominator) }

    internal static var allowed: String {
        "a bar has 1 to \(longestBar) beats, each a whole note or a part of one down to a \(finestBeat)th"
    }
}

extension Meter: CustomStringConvertible {
    /// `7/8` or `2+2+3/8`.
    public var description: String { groups.map(String.init).joined(separator: "+") + "/\(denominator)" }
}

extension NotationScanner {
    internal mutating func meter(longestBar: Int = Meter.longestBar) throws(NotationError) -> Meter {
        let start = column
        let groups = try self.groups("the beats of a bar, as in 4/4 or 2+2+3/8", longestBar: longestBar)
        guard skip("/") else { throw unreadable("/ and the note value of a beat, as in 4/4") }
        let denominator = try integer("the note value of a beat", in: 1...Meter.finestBeat)
        guard groups.reduce(0, +) <= longestBar else {
            throw outOfRange("a bar has 1 to \(longestBar) beats", at: start)
        }
        return Meter(groups: groups, over: denominator)
    }

    /// Whole numbers with a plus between them.
    internal mutating func groups(
        _ what: String, longestBar: Int = Meter.longestBar
    ) throws(NotationError) -> [Int] {
        var groups = [try integer(what, in: 1...longestBar)]
        while skip("+") { groups.append(try integer("the beats of the next group", in: 1...longestBar)) }
        return groups
    }
}
