internal import CRealtime

/// What successive fits of the short window tell of the noise in them and of the pitch's motion.
///
/// White noise alone makes fits differ by as much as their bound says. Real partials wander by themselves: a single fit
/// does not show that, but the next ones do. All values are relative to the frequency, squares unless said otherwise,
/// and exponential means over the memory.
struct PitchInnovation: BitwiseCopyable {
    /// Seconds that the means go back.
    private let memory: Double
    /// How many times what white noise explains a mean must be before the rest counts. A mean over 0.15 s holds seven
    /// independent fits; it exceeds 2.5 in one case of 70.
    private static var chance: Double { @_noLocks get { 2.5 } }

    /// The mean of short window less long window, not squared: what the long window lags behind.
    private(set) var offset = 0.0
    /// The mean square of short window less long window, and what the bound expects of it.
    private var difference = 0.0
    private var differenceBound = 0.0
    /// The variance of one fit of the short window as the second difference tells it, and as the bound does.
    private(set) var roughness = 0.0
    private var roughnessBound = 0.0
    /// The mean square of the change within about one short window.
    private(set) var motion = 0.0
    private var differences = 0
    private var changes = 0
    /// The share of the last difference in the means.
    private var news = 1.0
    /// The last fits, in a ring, as far apart as `spacing` says.
    private var fits = InlineArray<32, Double>(repeating: 0)
    private var count = 0
    /// Seconds.
    private var spacing = 0.0

    /// - Parameter memory: seconds.
    @_noLocks init(memory: Double) { self.memory = memory }

    /// Takes in a fit of the short window.
    ///
    /// - Parameters:
    ///   - bound: its relative variance by white noise alone.
    ///   - elapsed: seconds since the fit before.
    ///   - window: seconds that the fit rests on.
    @_noLocks mutating func add(_ fundamental: Double, bound: Double, after elapsed: Double, window: Double) {
        // Steps may differ by a sample; half as much again is another spacing.
        if abs(elapsed - spacing) > 0.3 * spacing { (count, spacing) = (0, elapsed) }
        if count >= 2 {
            changes += 1
            let news = max(1 / Double(changes), min(1, elapsed / memory))
            let bend = (fundamental - 2 * fit(1) + fit(2)) / fundamental
            let apart = elapsed / window
            let scale = 6 - 8 * Self.likeness(apart) + 2 * Self.likeness(2 * apart)
            roughness += news * (bend * bend / scale - roughness)
            roughnessBound += news * (bound - roughnessBound)
            let back = min(31, max(1, Int(rt_round(1 / apart))))
            if count >= back {
                let change = (fundamental - fit(back)) / fundamental
                motion += news * (change * change - motion)
            }
        }
        count += 1
        fits[count & 31] = fundamental
    }

    /// Takes in by how much the short window lies above the long one.
    ///
    /// - Parameter elapsed: seconds since the last time.
    @_noLocks mutating func add(difference d: Double, bound: Double, after elapsed: Double) {
        differences += 1
        news = max(1 / Double(differences), min(1, elapsed / memory))
        offset += news * (d - offset)
        difference += news * (d * d - difference)
        differenceBound += news * (bound - differenceBound)
    }

    /// Forgets how long and short window differed: the long one begins anew.
    @_noLocks mutating func forgetDifference() {
        (offset, difference, differenceBound, differences, news) = (0, 0, 0, 0, 1)
    }

    /// How far the long window lags behind the pitch, as far as that is sure.
    ///
    /// Four standard errors of white noise: steady tones stay at the bound. Beyond that the share of the offset that
    /// its own scatter leaves, as James and Stein shrink a mean.
    var lag: Double {
        @_noLocks get {
            guard differences >= 12, offset * offset > 16 * differenceBound * news else { return 0 }
            // Twice: successive fits overlap.
            let variance = 2 * max(0, difference - offset * offset) * news / 2
            return offset * max(0, 1 - 4 * variance / (offset * offset))
        }
    }

    /// What white noise does not explain of the fits' roughness: partials that wander by themselves.
    var wander: Double { @_noLocks get { max(0, roughness - Self.chance * roughnessBound) } }

    /// The variance of a long window's reading that its difference from the short one tells, beyond white noise: the
    /// square of the difference, and `weight` times that of its mean, whose chance is less.
    @_noLocks func disagreement(weight: Double) -> Double {
        let mean = max(0, offset * offset - 0.6 * differenceBound)
        return max(0, difference - Self.chance * differenceBound) + weight * mean
    }

    /// The correlation of two fits whose windows lie `apart` of their length from each other.
    ///
    /// A fit weighs the phase by the time from its middle: the autocorrelation of a straight line.
    @_noLocks private static func likeness(_ apart: Double) -> Double {
        apart < 1 ? 1 - 3 * apart + 2 * apart * apart * apart : 0
    }

    /// The fit before the last `back` - 1.
    @_noLocks private func fit(_ back: Int) -> Double { fits[(count + 1 - back) & 31] }
}
