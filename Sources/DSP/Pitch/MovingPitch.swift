internal import CRealtime

/// The fundamental of a moving pitch, averaged over as many fits of the short window as its motion allows.
///
/// A tracker of level and slope follows every motion of hand and voice. Beside it run the means of the fits of one, two and
/// four short windows. With R the variance of a fit, the tracker's noise is αR and that of a mean of n fits R/n. Fits
/// that differ by noise alone set the two apart by (α - 1/n) R in the mean square. What the mean square of the difference D
/// has beyond twice that is motion that the mean does not follow:
///
///     mse₀ = αR,   mseₙ = R/n + max(0, D - 2 (α - 1/n) R)
///
/// The reading is the mean of all four, weighed by 1/mse: there is no switch, and a pitch that comes to rest is averaged
/// over 85 ms within a fraction of a second. The mean of their mse is the variance of the reading.
/// - SeeAlso: Kalata, "The Tracking Index: A Generalized Parameter for α-β and α-β-γ Target Trackers", IEEE AES-20(2),
///   1984; Katkovnik, "A new method for varying adaptive bandwidth selection", IEEE Trans. Signal Processing 47(9), 1999.
struct MovingPitch: BitwiseCopyable {
    /// The reading and its relative variance by noise and by motion.
    private(set) var fundamental = 0.0
    private(set) var variance = 0.0
    /// Change per step.
    private(set) var slope = 0.0
    /// The tracker's level, and the mean square of its slope, relative.
    private var level = 0.0
    private var speed = 0.0
    /// How far the reading is led off for a smooth beginning.
    private var departure = 0.0
    /// The last fits, in a ring, and their number.
    private var fits = InlineArray<32, Double>(repeating: 0)
    private var count = 0
    /// R as the second differences of the fits tell it, relative: those of white noise have six times its power.
    private var roughness = 0.0
    /// D of each mean, relative, and how many differences are in it.
    private var differences = InlineArray<3, Double>(repeating: 0)
    private var counts = InlineArray<3, Int>(repeating: 0)

    /// Begins with a fit.
    ///
    /// - Parameter told: the reading before, from which the new ones depart without a step; 0 for none.
    @_noLocks init(_ fundamental: Double, told: Double) {
        (self.fundamental, level, count) = (fundamental, fundamental, 1)
        fits[1] = fundamental
        // From another note there is nothing to depart.
        if isSameNote(told, fundamental) { departure = told / fundamental - 1 }
    }

    /// Takes in the next fit.
    ///
    /// - Parameters:
    ///   - bound: the relative variance of one fit by white noise alone, which R is at least.
    ///   - elapsed: seconds since the fit before.
    ///   - late: how many steps to lead the tracker on.
    @_noLocks mutating func add(
        _ fit: Double, bound: Double, after elapsed: Double, late: Double, _ constants: PitchConstants
    ) {
        if isSameNote(fit, level + slope) { track(fit, constants) } else { self = MovingPitch(fit, told: 0) }
        departure *= rt_exp(-elapsed / constants.fade)
        if count > 2 {
            let bend = (fit - 2 * fits[(count - 1) & 31] + fits[(count - 2) & 31]) / fit
            let news = max(1 / Double(count - 2), min(1, elapsed / constants.differenceMemory))
            roughness += news * (bend * bend / 6 - roughness)
        }
        let noise = max(max(roughness, bound), 1e-18)
        let share = max(1 / Double(count), min(1, elapsed / constants.differenceMemory))
        speed += share * (slope * slope / (level * level) - speed)
        let (gain, slopeGain) = Self.gains(constants.trackingIndex)
        // The slope's own noise is what the filter's equations leave of it; only what it has beyond that leads on.
        let slopeNoise = slopeGain * (gain - slopeGain / 2) / (1 - gain) * noise
        let tracked = level + late * slope * max(0, 1 - slopeNoise / max(speed, 1e-18))
        var weights = 1 / (gain * noise)
        var (sum, total) = (0.0, 1.0)
        var length = constants.shortWindow / elapsed
        for n in 0..<3 {
            let fits = Int(rt_round(length))
            length *= 2
            guard fits >= 2, fits <= min(count, 32) else { continue }
            let away = mean(of: fits) / tracked - 1
            counts[n] += 1
            let news = max(1 / Double(counts[n]), min(1, elapsed / constants.differenceMemory))
            differences[n] += news * (away * away - differences[n])
            let share = 1 / Double(fits)
            let motion = max(0, differences[n] - 2 * max(0, gain - share) * noise)
            let weight = 1 / (share * noise + motion)
            weights += weight
            sum += weight * away
            total += 1
        }
        fundamental = tracked * (1 + sum / weights) * (1 + departure)
        variance = total / weights
    }

    /// Takes a fit into level and slope.
    ///
    /// The first fits count as in a straight line through all of them: α = 2 (2n - 1) / (n (n + 1)), β = 6 / (n (n + 1)).
    @_noLocks private mutating func track(_ fit: Double, _ constants: PitchConstants) {
        count += 1
        fits[count & 31] = fit
        let n = Double(count)
        let (gain, slopeGain) = Self.gains(constants.trackingIndex)
        let news = fit - level - slope
        level += slope + max(gain, 2 * (2 * n - 1) / (n * (n + 1))) * news
        slope += max(slopeGain, 6 / (n * (n + 1))) * news
    }

    /// α and β of the steady state of a Kalman filter whose slope takes random steps.
    ///
    ///     r = (4 + Λ - √(8Λ + Λ²)) / 4,   α = 1 - r²,   β = 2 (2 - α) - 4 √(1 - α)
    ///
    /// - Parameter index: Λ, the step of the slope over the noise of a fit.
    @_noLocks private static func gains(_ index: Double) -> (Double, Double) {
        let r = (4 + index - rt_sqrt(8 * index + index * index)) / 4
        let gain = 1 - r * r
        return (gain, 2 * (2 - gain) - 4 * r)
    }

    /// The mean of the last `number` fits.
    @_noLocks private func mean(of number: Int) -> Double {
        var sum = 0.0
        for n in 0..<number { sum += fits[(count - n) & 31] }
        return sum / Double(number)
    }
}
