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

    /// Where a course at another level of the likeliest one is by the beats of that one, a frame after `old`; `nil` where it is
    /// no other level.
    @_noLocks func level(of best: State, after old: State) -> State? {
        var state = old
        state.place = (old.place + 1) % (shortest + old.index)
        guard isAnotherLevel(best, of: state) else { return nil }
        let (its, own) = (Double(shortest + best.index), Double(shortest + old.index))
        let ratio = rt_round(max(its, own) / min(its, own))
        let period = own < its ? its / ratio : its * ratio
        // Its beats are those of the likeliest, or every second or third one, or as many between them; or halfway.
        let halfway = ratio == 1 ? period / 2 : 0
        let since = Double(best.place - half(of: best.index)) + halfway
        let step = min(its, period)
        let ownSince = Double(state.place - half(of: old.index))
        state.index = max(0, min(periodCount - 1, Int(rt_round(period)) - shortest))
        let length = shortest + state.index
        let place = Int(rt_round(since + rt_round((ownSince - since) / step) * step)) + half(of: state.index)
        state.place = (place % length + length) % length
        state.probability = probability(of: state)
        return state
    }

    /// Whether three beats of one course last as long as two of the other.
    @_noLocks func isThreeToTwo(_ one: State, _ other: State) -> Bool {
        let (first, second) = (Double(shortest + one.index), Double(shortest + other.index))
        return abs(max(first, second) / min(first, second) / 1.5 - 1) < 0.06
    }
}
