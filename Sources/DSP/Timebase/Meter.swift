/// How many beats make a bar, in which groups, and which note value is one beat: 4/4, 7/8 or 2+2+3/8.
public struct Meter: Sendable, Hashable {
    /// The beats of each group; a meter without groups has one.
    public let groups: [Int]
    /// The note value of a beat as a part of a whole note: 4 for quarters, 8 for eighths.
    public let denominator: Int

    /// The most beats one bar can have.
    public static var longestBar: Int { 1_024 }
    /// The most beats of a bar in a tempo map, where klick sets no bound.
    package static var longestMapBar: Int { 16_384 }
    /// The finest note value that can be a beat.
    public static var finestBeat: Int { 4_096 }

    /// Four quarters.
    public static var common: Meter { Meter(groups: [4], over: 4) }

    /// A meter of one group of `beats`.
    public init(_ beats: Int, _ denominator: Int) throws(PlanError) {
        guard (1...Self.longestBar).contains(beats), (1...Self.finestBeat).contains(denominator) else {
            throw .meterOutOfRange(beats: beats, denominator: denominator)
        }
        self.init(groups: [beats], over: denominator)
    }

    /// The note value of a beat.
    public var beat: NoteValue { NoteValue(over: denominator) }

    /// The beats of a bar.
    public var beats: Int { groups.reduce(0, +) }

    /// The default levels of a bar: accent on the first beat, medium on the first of each further group.
    public var levels: [AccentLevel] { AccentPattern.levels(ofGroups: groups) }

    package init(groups: [Int], over denominator: Int) { (self.groups, self.denominator) = (groups, denominator) }
}

extension Meter: CustomStringConvertible {
    /// `7/8` or `2+2+3/8`.
    public var description: String { groups.map(String.init).joined(separator: "+") + "/\(denominator)" }
}
