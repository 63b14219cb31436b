internal import CRealtime

/// How clicks come nearer to a player's beat by their intervals alone, none of which differs from the last one by more than a
/// limit. All in seconds.
internal struct ClickApproach: BitwiseCopyable, Sendable {
    /// The last click minus the player's beat there.
    let distance: Double
    /// The interval before it minus the player's period.
    let difference: Double
    /// By how much the player's period changes in a beat.
    let bend: Double
    /// By how much an interval may differ from the last one.
    let limit: Double

    @_noLocks init(distance: Double, difference: Double, bend: Double, limit: Double) {
        (self.distance, self.difference, self.bend, self.limit) = (distance, difference, bend, limit)
    }

    /// By how much the next interval differs from the last one.
    ///
    /// Near the beat a share of the distance is made up for, so that the player's scatter stays out of the clicks; far from
    /// it the quickest way is taken, and between the two a mixture.
    ///
    /// - Parameter off: where the next click would be off by if the interval stayed.
    @_noLocks func change(off: Double, _ constants: FollowerConstants) -> Double {
        let share = off / constants.far
        let hard = min(1, share * share)
        let soft = -constants.pull * distance - constants.match * difference
        let wanted = bend + (1 - hard) * soft + hard * (quickest - difference)
        return max(-limit, min(limit, wanted))
    }

    /// By how much the next interval differs from the player's on the quickest way to the beat that does not pass it.
    ///
    /// An interval that differs by v falls back to the player's in steps of the limit L, and makes up for v²/2L + v/2 on the
    /// way, its own v included: a distance d allows the v that solves v²/2L + v/2 = d, and no more than d.
    private var quickest: Double {
        @_noLocks get {
            let length = abs(distance)
            let most = min(length, rt_sqrt(limit * limit / 4 + 2 * limit * length) - limit / 2)
            return distance < 0 ? most : -most
        }
    }
}
