/// Where the level tells that a note is released, and whether it was only a dip.
extension NoteDecider {
    /// Ends the note that sounds where it was released.
    ///
    /// A note that is young may have dipped: a choir's voices come in one after the other, and beat against each other until
    /// they agree, a bow bounces. What is released falls on; what dips is back within `dipping`, and goes on.
    ///
    /// - Parameter isRead: whether the newest reading is that of the note.
    @_noLocks mutating func fade(isRead: Bool) {
        let level = levels.level(0)
        if sounding.released < 0 {
            guard let knee else { return }
            (sounding.released, sounding.lowest) = (knee, level)
        }
        sounding.lowest = min(sounding.lowest, level)
        let isOver = seconds(since: sounding.released) > constants.dipping
        if level > sounding.lowest + constants.release {
            if sounding.swollen < 0 { sounding.swollen = Double(now) }
            // A swell with an onset is for that to explain, and what readings tell lags behind the level.
            if isRead, !pending.isActive, seconds(since: sounding.swollen) > constants.regained {
                (sounding.released, sounding.swollen) = (-1, -1)
            } else if isOver {
                release(at: sounding.released)
            }
            return
        }
        sounding.swollen = -1
        let isSettled = seconds(since: sounding.start) > constants.unsettled
        if isOver || isSettled || level < sounding.level - constants.deepest { release(at: sounding.released) }
    }

    /// The note that sounds is over, and so is an onset that was heard well within it: it was no other note's.
    @_noLocks mutating func release(at frame: Double) {
        end(at: frame)
        if isWithin(frame) { dismiss() }
    }

    /// Whether the onset that waits has come to nothing: the note that sounds has gone on for long and is released since, or all
    /// that followed is silence, so that it was that of an end, as the key of a clarinet or a damper makes it.
    var isSpent: Bool {
        @_noLocks mutating get {
            if sounding.released >= 0, isWithin(sounding.released) { return true }
            return pending.loudest < pending.lowest + constants.dent
                && levels.level(0) < pending.lowest - constants.outweighed
        }
    }

    /// Whether an onset waits that a note that ends at `frame` has outlasted for as long as a note has to be read.
    @_noLocks private mutating func isWithin(_ frame: Double) -> Bool {
        pending.isActive && (frame - pending.frame) / rate > constants.proven
    }

    /// Where the level has begun to fall much faster than before; `nil` while it has not.
    var knee: Double? {
        @_noLocks mutating get {
            let fallHops = levels.hops(constants.releaseTime)
            let ageHops = Int(seconds(since: sounding.start) / levels.hopSeconds)
            guard ageHops > fallHops + levels.hops(constants.releaseAge) else { return nil }
            let fall = levels.level(fallHops) - levels.level(0)
            guard fall >= constants.release else { return nil }
            let earlier = min(fallHops, ageHops - fallHops - levels.hops(0.024))
            guard earlier > 0 else { return nil }
            let before = levels.level(fallHops + earlier) - levels.level(fallHops)
            guard fall >= 2 * before * Double(fallHops) / Double(earlier) else { return nil }
            var age = fallHops
            let course = levels.level(fallHops) - constants.knee
            while age > 0, levels.level(age - 1) >= course { age -= 1 }
            // The level is a mean of 24 ms.
            return Double(now) - (Double(age) * levels.hopSeconds + 0.010) * rate
        }
    }
}
