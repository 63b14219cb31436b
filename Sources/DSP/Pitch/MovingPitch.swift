internal import CRealtime

/// The fundamental of a moving pitch, averaged over as many fits of the short window as its motion allows.
///
/// Five trackers of level and slope run side by side, from one that follows every motion of hand and voice to one that
/// averages over a quarter of a second, and beside them the means of the fits of one, two and four short windows. With R
/// the variance of a fit, a tracker's noise is αR and that of a mean of n fits R/n. Fits that differ by noise alone set such
/// an average, of noise gR, apart from the quickest tracker by (α - g) R in the mean square. What the mean square of the
/// difference D has beyond twice that is motion that the average does not follow:
///
///     mse₀ = αR,   mse = gR + max(0, D - 2 (α - g) R)
///
/// The reading is the mean of all, weighed by 1/mse²: there is no switch, and a pitch that comes to rest is averaged over
/// 85 ms within a fraction of a second. The squares favour the best: the errors of all are made of the same noise, so that
/// a mean of them is no better than the best one. The mean of their mse is the variance of the reading.
/// - SeeAlso: Kalata, "The Tracking Index: A Generalized Parameter for α-β and α-β-γ Target Trackers", IEEE AES-20(2),
///   1984; Katkovnik, "A new method for varying adaptive bandwidth selection", IEEE Trans. Signal Processing 47(9), 1999.
struct MovingPitch: BitwiseCopyable {
    private static var trackerCount: Int { @_noLocks get { 5 } }
    private static var meanCount: Int { @_noLocks get { 3 } }

    /// The reading and its relative variance by noise and by motion.
    private(set) var fundamental = 0.0
    private(set) var variance = 0.0
    /// The mean square of the change per second, relative.
    private(set) var squareSpeed = 0.0
    /// The trackers, the quickest first.
    private var trackers = InlineArray<5, PitchTrack>(repeating: PitchTrack(0))
    /// How far the reading is led off for a smooth beginning: what two fits of a note at rest may differ by, and the rest.
    private var slightDeparture = 0.0
    private var departure = 0.0
    /// The last fits, in a ring, and their number.
    private var fits = InlineArray<32, Double>(repeating: 0)
    private var count = 0
    /// R as the second differences of the fits tell it, relative: those of white noise have six times its power.
    private var roughness = 0.0
    /// D of each average, the slower trackers first, relative, and how many differences are in it.
    private var differences = InlineArray<8, Double>(repeating: 0)
    private var counts = InlineArray<8, Int>(repeating: 0)
    /// The mean square error expected of the mean of four short windows, relative; 0 before there are so many fits.
    private var slowest = 0.0
    /// The largest square by which that mean lay off in each of the last 31 ms, the newest first, and the age of the newest.
    private var peaks = InlineArray<5, Double>(repeating: 0)
    private var peakAge = 0.0
    /// Seconds of a peak: four of them and the newest hold half a period of the slowest vibrato, 4 times a second.
    private static var peakTime: Double { @_noLocks get { 0.031_25 } }

    /// Begins with a fit.
    ///
    /// - Parameter told: the reading before, from which the new ones depart without a step; 0 for none.
    @_noLocks init(_ fundamental: Double, told: Double, least: Double = 0) {
        (self.fundamental, count) = (fundamental, 1)
        fits[1] = fundamental
        for n in 0..<Self.trackerCount { trackers[n] = PitchTrack(fundamental) }
        // From another note there is nothing to depart.
        guard isSameNote(told, fundamental) else { return }
        departure = told / fundamental - 1
        slightDeparture = min(least, max(-least, departure))
        departure -= slightDeparture
    }

    /// How many times as far off as the reading the mean of four short windows is expected to be.
    ///
    /// A vibrato passes the mean of such a window twice a period, but never stays there.
    /// Within `least`, a share of the frequency, nothing counts as motion: 0.
    @_noLocks func restlessness(beyond least: Double) -> Double {
        guard slowest > 0 else { return .infinity }
        return slowest > least * least ? rt_sqrt(slowest / variance) : 0
    }

    /// The square of what is led off for long, relative: the reading is wrong by that.
    var lead: Double { @_noLocks get { slightDeparture * slightDeparture } }

    /// Change per step.
    var slope: Double { @_noLocks get { trackers[0].slope } }

    /// The mean square by which the pitch has left the mean of four short windows, relative: what a long window that begins
    /// to take over must expect to be off by.
    var motion: Double { @_noLocks get { differences[Self.trackerCount + 2] } }

    /// Takes in the next fit.
    ///
    /// - Parameters:
    ///   - bound: the relative variance of one fit by white noise alone, which R is at least.
    ///   - elapsed: seconds since the fit before.
    ///   - late: how many steps to lead the trackers on.
    @_noLocks mutating func add(
        _ fit: Double, bound: Double, after elapsed: Double, late: Double, _ constants: PitchConstants
    ) {
        if isSameNote(fit, trackers[0].level + slope) {
            count += 1
            fits[count & 31] = fit
        } else {
            self = MovingPitch(fit, told: 0)
        }
        departure *= rt_exp(-elapsed / constants.fade)
        slightDeparture *= rt_exp(-elapsed / constants.slightFade)
        if count > 2 {
            let bend = (fit - 2 * fits[(count - 1) & 31] + fits[(count - 2) & 31]) / fit
            let news = max(1 / Double(count - 2), min(1, elapsed / constants.differenceMemory))
            roughness += news * (bend * bend / 6 - roughness)
        }
        let noise = max(max(roughness, bound), 1e-18)
        let share = max(1 / Double(count), min(1, elapsed / constants.differenceMemory))
        var (index, quickest, gain) = (constants.trackingIndex, 0.0, 0.0)
        var (sum, weights, squares) = (0.0, 0.0, 0.0)
        for n in 0..<Self.trackerCount {
            let gains = PitchTrack.Gains(index: index)
            index /= 3
            if count > 1 { trackers[n].add(fit, number: count, gains) }
            let value = trackers[n].value(late: late, noise: noise, share: share, gains)
            if n == 0 {
                (quickest, gain) = (value, gains.level)
                squareSpeed = trackers[0].squareSpeed(noise: noise, gains) / (elapsed * elapsed)
            }
            let error = error(
                n, away: value / quickest - 1, share: gains.level, of: gain, noise: noise, after: elapsed, constants)
            let weight = 1 / (error * error)
            sum += weight * (value / quickest - 1)
            weights += weight
            squares += weight * error
        }
        var length = constants.shortWindow / elapsed
        for n in 0..<Self.meanCount {
            let fits = Int(rt_round(length))
            length *= 2
            guard fits >= 2, fits <= min(count, 32) else { continue }
            let away = mean(of: fits) / quickest - 1
            let error = error(
                Self.trackerCount + n, away: away, share: 1 / Double(fits), of: gain, noise: noise, after: elapsed,
                constants)
            if n == 2 { slowest = min(error, recentPeak(away * away, after: elapsed) + noise / Double(fits)) }
            let weight = 1 / (error * error)
            sum += weight * away
            weights += weight
            squares += weight * error
        }
        fundamental = quickest * (1 + sum / weights) * (1 + departure + slightDeparture)
        variance = squares / weights
    }

    /// The mean square error of an average that lies `away` from the quickest tracker and keeps `share` of a fit's noise,
    /// where that keeps `gain`.
    @_noLocks private mutating func error(
        _ n: Int, away: Double, share: Double, of gain: Double, noise: Double, after elapsed: Double,
        _ constants: PitchConstants
    ) -> Double {
        counts[n] += 1
        let news = max(1 / Double(counts[n]), min(1, elapsed / constants.differenceMemory))
        differences[n] += news * (away * away - differences[n])
        return share * noise + max(0, differences[n] - 2 * max(0, gain - share) * noise)
    }

    /// The largest of the squares of the last eighth of a second, the newest included: a vibrato leaves the mean of a long window
    /// as often as that, and what does not has come to rest, however long the means of the squares remember it.
    @_noLocks private mutating func recentPeak(_ square: Double, after elapsed: Double) -> Double {
        peakAge += elapsed
        if peakAge >= Self.peakTime {
            for n in stride(from: 4, to: 0, by: -1) { peaks[n] = peaks[n - 1] }
            (peaks[0], peakAge) = (0, 0)
        }
        peaks[0] = max(peaks[0], square)
        var largest = 0.0
        for n in 0..<5 { largest = max(largest, peaks[n]) }
        return largest
    }

    /// The mean of the last `number` fits.
    @_noLocks private func mean(of number: Int) -> Double {
        var sum = 0.0
        for n in 0..<number { sum += fits[(count - n) & 31] }
        return sum / Double(number)
    }
}
