internal import Rhythm

/// The notes that are over, any of which may still ring: strings that are not damped, and what a room or a pedal holds.
internal struct RecentNotes: BitwiseCopyable {
    /// As many as ring at once: a hand on a neck crosses strings, and leaves one after the other.
    private static var capacity: Int { @_noLocks get { 4 } }
    private var keys = InlineArray<4, Double>(repeating: 0)
    /// Where they ended, in samples.
    private var ends = InlineArray<4, Double>(repeating: -.infinity)
    private var newest = 0

    @_noLocks init() {}

    @_noLocks mutating func add(_ key: Double, end: Double) {
        newest = (newest + 1) % Self.capacity
        (keys[newest], ends[newest]) = (key, end)
    }

    /// Whether a pitch is that of one that ended after `frame`.
    @_noLocks func contains(_ key: Double, since frame: Double) -> Bool {
        for n in 0..<Self.capacity where ends[n] >= frame && abs(keys[n] - key) < 0.6 { return true }
        return false
    }

    /// Whether one that ended after `frame` is a harmonic of a pitch: with a new note it has that pitch in common.
    @_noLocks func haveHarmonic(of key: Double, since frame: Double) -> Bool {
        for n in 0..<Self.capacity where ends[n] >= frame && keys[n] > key {
            if KeyScale.isMisreading(keys[n] - key) { return true }
        }
        return false
    }
}
