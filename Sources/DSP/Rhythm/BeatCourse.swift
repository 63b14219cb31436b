internal import CRealtime

/// One course that a player's beat may take: where it is, its period, and by how much that changes from beat to beat, all in
/// seconds, with their covariance. A Kalman filter of order three.
internal struct BeatCourse: BitwiseCopyable, Sendable {
    /// How likely it is among all.
    var weight = 0.0
    /// The time of the last place that was looked at, the period there, and its change per beat.
    var seconds = 0.0, period = 0.5, bend = 0.0
    /// The covariance: of time and time, time and period, time and bend, and so on.
    var tt = 0.0, tp = 0.0, tb = 0.0, pp = 0.0, pb = 0.0, bb = 0.0
    /// Whether a note already means the place, for this course.
    var isHeard = false

    @_noLocks init() {}

    /// Goes on by some beats.
    @_noLocks mutating func advance(by beats: Double, _ constants: FollowerConstants) {
        isHeard = false
        let half = beats * beats / 2
        // At a constant change of beats per minute in a second the change of the period goes with its third power.
        let growth = max(0.5, min(1.5, 1 + 3 * beats * bend / period))
        seconds += beats * period + half * bend
        period += beats * bend
        bend *= growth
        // F C Fᵀ for F = [1 b b²/2; 0 1 b; 0 0 g].
        let rowT = tt + beats * tp + half * tb
        let rowTP = tp + beats * pp + half * pb
        let rowTB = tb + beats * pb + half * bb
        let (rowP, rowPB) = (pp + beats * pb, pb + beats * bb)
        tt = rowT + beats * rowTP + half * rowTB
        tp = rowTP + beats * rowTB
        tb = growth * rowTB
        pp = rowP + beats * rowPB
        pb = growth * rowPB
        bb *= growth * growth
        let (wander, drift) = (constants.wander * period, constants.drift * period)
        tt += beats * wander * wander
        pp += beats * drift * drift
        bb += beats * (constants.bend * period) * (constants.bend * period)
    }

    /// Takes in a note at the place that was advanced to; returns the density of its time.
    @_noLocks mutating func correct(_ time: Double, variance: Double) -> Double {
        isHeard = true
        let sum = tt + variance
        let innovation = time - seconds
        let (gainT, gainP, gainB) = (tt / sum, tp / sum, tb / sum)
        seconds += gainT * innovation
        period += gainP * innovation
        bend += gainB * innovation
        bb -= gainB * tb
        pb -= gainP * tb
        pp -= gainP * tp
        tb -= gainT * tb
        tp -= gainT * tp
        tt -= gainT * tt
        return rt_exp(-innovation * innovation / (2 * sum)) / rt_sqrt(2 * .pi * sum)
    }

    /// Whether another course is as good as the same: less apart than a player scatters.
    @_noLocks func isNear(_ other: BeatCourse) -> Bool {
        abs(seconds - other.seconds) < 0.0015 && abs(period - other.period) < 0.0008
            && abs(bend - other.bend) < 0.0005
    }

    /// Becomes one course with another: the mean of both, with the spread between them.
    @_noLocks mutating func join(_ other: BeatCourse) {
        let sum = weight + other.weight
        guard sum > 0 else { return }
        let (mine, its) = (weight / sum, other.weight / sum)
        let (dt, dp, db) = (other.seconds - seconds, other.period - period, other.bend - bend)
        let both = mine * its
        tt = mine * tt + its * other.tt + both * dt * dt
        tp = mine * tp + its * other.tp + both * dt * dp
        tb = mine * tb + its * other.tb + both * dt * db
        pp = mine * pp + its * other.pp + both * dp * dp
        pb = mine * pb + its * other.pb + both * dp * db
        bb = mine * bb + its * other.bb + both * db * db
        seconds += its * dt
        period += its * dp
        bend += its * db
        weight = sum
    }
}
