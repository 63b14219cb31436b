internal import Glibc
public import Music

/// Finds the A4 that what is heard hangs from, by itself.
///
/// Every reading says how far it lies from the nearest note at A4 = 440 Hz, but only up to whole semitones; such values
/// lie on a circle of 100 cents, and their middle is the direction of the sum of unit vectors. Older readings fade.
/// - SeeAlso: Mardia and Jupp, "Directional Statistics", 2000.
public struct ReferenceLearner: Sendable {
    private var sum = (x: 0.0, y: 0.0)
    private var count = 0.0
    private let fading: Double

    /// A learner that has heard nothing.
    ///
    /// - Parameter memory: the number of readings after which one counts for a third; infinite: all count the same.
    public init(memory: Double = .infinity) { fading = memory.isFinite ? exp(-1 / memory) : 1 }

    /// Takes in one frequency; `weight` is how much it counts.
    public mutating func hear(_ frequency: Hertz, weight: Double = 1) {
        guard frequency.value > 0, frequency.value.isFinite else { return }
        let angle = 2 * Double.pi * 12 * log2(frequency.value / 440)
        sum = (sum.x * fading + weight * cos(angle), sum.y * fading + weight * sin(angle))
        count = count * fading + weight
    }

    /// The A4 that fits best, within half a semitone of 440 Hz; `nil` while nothing was heard, or what was heard does not
    /// agree (the mean vector is shorter than 0.5, as when notes spread by more than 19 cents).
    public var a4: Hertz? {
        let length = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        guard count > 0, length / count >= 0.5 else { return nil }
        return (440 * exp2(atan2(sum.y, sum.x) / (2 * .pi) / 12)).hertz
    }
}
