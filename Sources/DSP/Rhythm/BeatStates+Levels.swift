internal import CRealtime
internal import Realtime

/// How two courses of the beat relate: they may be levels of one meter.
extension BeatStates {
    /// Whether two courses have beats in common and explain the same notes: off the beat of each other, or twice or three times as
    /// fast with every beat of the slower one.
    @_noLocks func isAnotherLevel(_ one: State, of other: State) -> Bool {
        let (first, second) = (Double(shortest + one.index), Double(shortest + other.index))
        let (short, long) = (min(first, second), max(first, second))
        let ratio = rt_round(long / short)
        guard ratio <= 3, abs(long / short / ratio - 1) < 0.06 else { return false }
        let since = Double(one.place - half(of: one.index) - other.place + half(of: other.index)) / short
        let distance = abs(since - rt_round(since))
        return ratio == 1 ? distance > 0.375 : distance < 0.125
    }

    /// Whether three beats of one course last as long as two of the other.
    @_noLocks func isThreeToTwo(_ one: State, _ other: State) -> Bool {
        let (first, second) = (Double(shortest + one.index), Double(shortest + other.index))
        return abs(max(first, second) / min(first, second) / 1.5 - 1) < 0.06
    }
}
