internal import CRealtime
package import Music

/// Estimates A4 from what is heard, without knowing which notes are played.
///
/// Every frequency tells how far A4 is from 440 Hz, but only modulo a semitone. These values lie on a circle of 100 cents;
/// their mean is the direction of the sum of unit vectors. Older readings count less.
/// - SeeAlso: Mardia and Jupp, "Directional Statistics", 2000.
package struct ReferenceLearner: Sendable {
    private var sum = (x: 0.0, y: 0.0)
    private var count = 0.0
    private let fading: Double

    /// A learner that has heard nothing.
    ///
    /// - Parameter memory: the number of readings after which the weight of one has fallen to 1/e. If infinite, all count
    ///   the same.
    package init(memory: Double = .infinity) { fading = memory.isFinite ? rt_exp(-1 / memory) : 1 }

    /// Adds a frequency with a weight; a frequency that is not positive and finite is ignored.
    package mutating func hear(_ frequency: Hertz, weight: Double = 1) {
        guard frequency.value > 0, frequency.value.isFinite else { return }
        let angle = 2 * Double.pi * 12 * rt_log2(frequency.value / 440)
        sum = (sum.x * fading + weight * rt_cos(angle), sum.y * fading + weight * rt_sin(angle))
        count = count * fading + weight
    }

    /// The A4 that fits best, within half a semitone of 440 Hz.
    ///
    /// `nil` if nothing was heard or the readings do not agree: the mean vector is shorter than 0.5, which happens when
    /// deviations have a standard deviation of more than 19 cents.
    package var a4: Hertz? {
        let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        guard count > 0, length / count >= 0.5 else { return nil }
        return Hertz(440 * rt_exp2(rt_atan2(sum.y, sum.x) / (2 * .pi) / 12))
    }
}
