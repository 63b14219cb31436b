internal import CRealtime

/// The level and the slope of a pitch, as a filter of constant gains follows them.
struct PitchTrack: BitwiseCopyable {
    /// α and β of the steady state of a Kalman filter whose slope takes random steps.
    ///
    ///     r = (4 + Λ - √(8Λ + Λ²)) / 4,   α = 1 - r²,   β = 2 (2 - α) - 4 √(1 - α)
    struct Gains: BitwiseCopyable {
        let level: Double
        let slope: Double
        /// What the filter's equations leave of a fit's variance in the slope: β (α - β/2) / (1 - α).
        let slopeNoise: Double

        /// - Parameter index: Λ, the step of the slope over the noise of a fit.
        @_noLocks init(index: Double) {
            let r = (4 + index - rt_sqrt(8 * index + index * index)) / 4
            level = 1 - r * r
            slope = 2 * (2 - level) - 4 * r
            slopeNoise = slope * (level - slope / 2) / (1 - level)
        }
    }

    private(set) var level: Double
    /// Change per step.
    private(set) var slope = 0.0
    /// The mean square of the slope, relative.
    private var speed = 0.0

    /// Begins with a fit.
    @_noLocks init(_ fit: Double) { level = fit }

    /// Takes a fit into level and slope.
    ///
    /// The first fits count as in a straight line through all of them: α = 2 (2n - 1) / (n (n + 1)), β = 6 / (n (n + 1)).
    ///
    /// - Parameter number: n of this fit, the first one being 1.
    @_noLocks mutating func add(_ fit: Double, number: Int, _ gains: Gains) {
        let n = Double(number)
        let news = fit - level - slope
        level += slope + max(gains.level, 2 * (2 * n - 1) / (n * (n + 1))) * news
        slope += max(gains.slope, 6 / (n * (n + 1))) * news
    }

    /// The mean square of the slope beyond its own noise, relative, per step².
    ///
    /// - Parameter noise: the relative variance of a fit.
    @_noLocks func squareSpeed(noise: Double, _ gains: Gains) -> Double { max(0, speed - gains.slopeNoise * noise) }

    /// The level, led on by `late` steps along the slope.
    ///
    /// Only what the slope has beyond its own noise leads on.
    ///
    /// - Parameters:
    ///   - noise: the relative variance of a fit.
    ///   - share: of the newest slope in the mean square.
    @_noLocks mutating func value(late: Double, noise: Double, share: Double, _ gains: Gains) -> Double {
        speed += share * (slope * slope / (level * level) - speed)
        return level + late * slope * max(0, 1 - gains.slopeNoise * noise / max(speed, 1e-18))
    }
}
