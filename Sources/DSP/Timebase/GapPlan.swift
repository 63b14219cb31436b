/// Bars that are played and bars that are muted, in turn: the player has to keep time alone, and hears at the next bar
/// how well that went.
package struct GapPlan: Sendable, Hashable {
    /// For each bar from bar 1 whether it is muted; after the last the part from `repeatFrom` on repeats.
    package let isMuted: [Bool]
    /// The index in `isMuted` at which the repeating part begins.
    package let repeatFrom: Int

    /// `play` bars heard, then `mute` bars silent, for ever.
    package init(play: Int, mute: Int) throws(PlanError) {
        try self.init(from: (play, mute), to: (play, mute))
    }

    /// Gaps that change: each round is one bar nearer to the last proportion, in both numbers, and stays there.
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
        isMuted = flags + Array(repeating: false, count: last.play) + Array(repeating: true, count: last.mute)
    }

    /// Whether a bar is muted; bars count from 1, those of a count-in are always heard.
    package func isMuted(bar: Int64) -> Bool {
        guard bar >= 1 else { return false }
        let index = bar - 1
        if index < Int64(isMuted.count) { return isMuted[Int(index)] }
        let period = Int64(isMuted.count - repeatFrom)
        return isMuted[repeatFrom + Int((index - Int64(repeatFrom)) % period)]
    }
}
