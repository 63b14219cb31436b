/// Bars that are played and muted in turn, so that the player keeps time alone and then hears how well.
package struct GapPlan: Sendable, Hashable {
    /// Whether each bar from bar 1 on is muted; the flags from `repeatFrom` on repeat.
    internal let flags: [Bool]
    /// The index in `flags` at which the repeating part begins.
    internal let repeatFrom: Int

    /// Gaps that change by one bar per round, in both numbers, from the first to the last proportion.
    package init(from first: (play: Int, mute: Int), to last: (play: Int, mute: Int)) throws(PlanError) {
        let bars = 0...256
        for pair in [first, last]
        where !bars.contains(pair.play) || !bars.contains(pair.mute) || pair.play + pair.mute == 0 {
            throw .gapOutOfRange(play: pair.play, mute: pair.mute)
        }
        var flags: [Bool] = []
        var (play, mute) = first
        while (play, mute) != last {
            flags += Array(repeating: false, count: play) + Array(repeating: true, count: mute)
            play += (last.play - play).signum()
            mute += (last.mute - mute).signum()
        }
        repeatFrom = flags.count
        self.flags = flags + Array(repeating: false, count: last.play) + Array(repeating: true, count: last.mute)
    }
}
