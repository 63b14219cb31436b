/// Where the level tells that one note gives way to the next.
extension NoteDecider {
    /// Where the level was lowest before the onset that is told now, in samples; minus infinity where it did not dip.
    var trough: Double {
        @_noLocks mutating get {
            guard let age = levels.trough(0, levels.hops(constants.swelling), depth: constants.dent) else {
                return -.infinity
            }
            return Double(now) - age * rate
        }
    }

    /// Where the level dipped within the note that sounds before its readings leapt; `nil` where it did not.
    ///
    /// After an octave up the old note's period is still one of the new one, and is read until the old note has died away, up
    /// to 0.15 s later.
    var dipBeforeLeap: Double? {
        @_noLocks mutating get {
            guard run.isLeap else { return nil }
            let newest = levels.hops(seconds(since: run.first))
            // Not before the note: the dip out of which it came itself.
            let oldest = min(
                newest + levels.hops(constants.search), levels.hops(seconds(since: sounding.start) - constants.blind))
            return boundary(newest, oldest, depth: constants.dent)
        }
    }

    /// Where the level dips between the note that was and the one that is read from `frame` on; `nil` where it does not.
    @_noLocks mutating func boundary(before frame: Double) -> Double? {
        let newest = levels.hops((Double(now) - frame) / rate)
        let oldest = newest + levels.hops(constants.yielding)
        guard let dip = boundary(newest, oldest, depth: constants.dip) else { return nil }
        return min(frame, dip)
    }

    @_noLocks private mutating func boundary(_ newest: Int, _ oldest: Int, depth: Double) -> Double? {
        guard oldest > newest,
            let age = levels.boundary(newest, oldest, depth: depth, lead: levels.hops(constants.lead))
        else { return nil }
        return Double(now) - age * levels.hopSeconds * rate
    }
}
