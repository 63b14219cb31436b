internal import CRealtime

/// The fundamental of a moving pitch, filtered as far as the noise of its fits asks for: level and slope.
///
/// The gains are those of the steady state of a Kalman filter whose slope takes random steps. With Λ the step of the
/// slope over the noise of a fit,
///
///     r = (4 + Λ - √(8Λ + Λ²)) / 4,   α = 1 - r²,   β = 2 (2 - α) - 4 √(1 - α)
///
/// A clean vibrato has no roughness: Λ is large, α near 1, and the fit goes through as it is.
/// - SeeAlso: Kalata, "The Tracking Index: A Generalized Parameter for α-β and α-β-γ Target Trackers", IEEE AES-20(2),
///   1984.
struct MovingPitch: BitwiseCopyable {
    private(set) var fundamental = 0.0
    /// Change per step.
    private(set) var slope = 0.0
    /// How much of the last fit was news.
    private(set) var gain = 1.0
    private var count = 0

    @_noLocks init(_ fundamental: Double) { self.fundamental = fundamental }

    /// Takes in the next fit.
    ///
    /// - Parameters:
    ///   - elapsed: seconds since the fit before.
    ///   - window: seconds that the fit rests on.
    ///   - turn: seconds within which the slope may become another.
    @_noLocks mutating func add(
        _ fit: Double, innovation: PitchInnovation, after elapsed: Double, window: Double, turn: Double
    ) {
        // Half a semitone in a step is no noise: the note is another one.
        if abs(fit / (fundamental + slope) - 1) > 0.03 { self = MovingPitch(fit) }
        count += 1
        var slopeGain = 0.0
        gain = 1
        // Four fits tell what the noise is.
        if count > 3 {
            let moved = max(0, innovation.motion - 2 * innovation.roughness)
            let step = rt_sqrt(moved) / max(1, window / elapsed) * elapsed / turn
            let index = step / rt_sqrt(max(innovation.roughness, 1e-18))
            let r = (4 + index - rt_sqrt(8 * index + index * index)) / 4
            gain = max(0.05, 1 - r * r)
            slopeGain = 2 * (2 - gain) - 4 * rt_sqrt(1 - gain)
        }
        let expected = fundamental + slope
        let news = fit - expected
        fundamental = expected + gain * news
        slope += slopeGain * news
    }
}
