/// The limits of a beat follower, to measure what each does.
@_spi(Measurement) public struct FollowerConstants: Sendable, BitwiseCopyable {
    /// Seconds by which a player scatters about the own beat.
    public var scatter = 0.01
    /// How likely it is that within a beat a change of tempo begins, ends, or the tempo is another one.
    public var begins = 0.02, ends = 0.01, jumps = 0.002
    /// How fast tempo changes: the standard deviation, in beats per minute and second.
    public var slope = 2.4
    /// By how much another tempo differs: the standard deviation, relative.
    public var jump = 0.08
    /// How much phase, period and change of period wander from beat to beat, in shares of the period.
    public var wander = 0.000_6, drift = 0.000_6, bend = 0.000_4
    /// The share of notes near a beat that do not mean it, per period.
    public var stray = 0.1
    /// Which share of the distance to the player's beat, and of the difference of the periods, the next click makes up for.
    public var pull = 0.65, match = 1.0
    /// Seconds of distance from which on the click makes up for all of it.
    public var far = 0.03
    /// By how much one interval of the clicks may differ from the last one, relative.
    public var most = 0.03
    /// How far from a beat a note may be and mean it, in shares of the period.
    public var reach = 0.25

    /// Those that the follower uses.
    @_noLocks public init() {}

    /// All of them by name.
    public static var named: [(name: String, path: any WritableKeyPath<FollowerConstants, Double> & Sendable)] {
        [
            ("scatter", \.scatter), ("begins", \.begins), ("ends", \.ends), ("jumps", \.jumps), ("slope", \.slope),
            ("jump", \.jump), ("wander", \.wander), ("drift", \.drift), ("bend", \.bend), ("stray", \.stray),
            ("pull", \.pull), ("match", \.match), ("far", \.far), ("most", \.most), ("reach", \.reach),
        ]
    }
}
