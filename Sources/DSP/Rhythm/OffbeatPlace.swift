/// Where between two beats a player plays: the place of the notes there, which swing moves from the middle.
internal struct OffbeatPlace: BitwiseCopyable, Sendable {
    private var count = 0
    private(set) var mean = 0.5
    private var spread = 0.0

    @_noLocks init() {}

    /// The last sixteen notes count.
    private static var memory: Int { @_noLocks get { 16 } }
    /// Four notes have a mean that is worth something.
    private static var fewest: Int { @_noLocks get { 4 } }
    /// Farther apart they are of several kinds, in shares of the period.
    private static var widest: Double { @_noLocks get { 0.04 } }

    /// Whether a note so many periods after a beat may be one of these.
    @_noLocks static func contains(_ phase: Double) -> Bool { phase > 0.35 && phase < 0.75 }

    /// Takes in a note.
    @_noLocks mutating func hear(_ phase: Double) {
        count = min(count + 1, Self.memory)
        let share = 1 / Double(count)
        let distance = phase - mean
        mean += share * distance
        spread += share * ((1 - share) * distance * distance - spread)
    }

    /// The variance of its notes about the place beyond a player's own scatter, in shares of the period; `nil`: there is no
    /// such place.
    var variance: Double? {
        @_noLocks get {
            count >= Self.fewest && spread < Self.widest * Self.widest ? spread / Double(count) : nil
        }
    }
}
