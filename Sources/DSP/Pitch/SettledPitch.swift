/// The fundamental of a steady note: an exponential mean of the long window's fits.
///
/// A longer window, another number of partials, and a new inharmonicity make steps in the fits that no ear would hear and
/// every needle would show. The mean takes a seventh of the window, which lags by half of itself anyway. A window that
/// grows knows more than the one before: it takes over by as much as its variance is less.
struct SettledPitch: BitwiseCopyable {
    /// Radians per sample; 0 before the first fit.
    private(set) var fundamental = 0.0
    /// The mean variance of the fits, and their mean age in seconds.
    private var fitVariance = 0.0
    private var age = 0.0
    /// Seconds between the last two fits.
    private var spacing = 0.0

    @_noLocks init() {}

    /// Goes on from the last reading of a pitch that moved.
    @_noLocks init(_ fundamental: Double, variance: Double) {
        (self.fundamental, fitVariance) = (fundamental, variance)
    }

    /// Takes in the newest fit.
    ///
    /// - Parameters:
    ///   - variance: of the fit by white noise, in any unit.
    ///   - window: seconds that the fit rests on.
    ///   - elapsed: seconds since the last time.
    ///   - share: how much of a window the mean takes.
    @_noLocks mutating func add(
        _ fit: Double, variance: Double, window: Double, after elapsed: Double, share: Double
    ) {
        spacing = elapsed
        guard fundamental > 0 else {
            (fundamental, fitVariance) = (fit, variance)
            return
        }
        let news = max(min(1, elapsed / (share * window)), 1 - variance / max(fitVariance, 1e-300))
        fundamental += news * (fit - fundamental)
        fitVariance += news * (variance - fitVariance)
        age = (1 - news) * (age + elapsed)
    }

    /// The variance of the mean, in the unit of those of the fits.
    ///
    /// - Parameter window: seconds that a fit rests on.
    @_noLocks func variance(window: Double) -> Double {
        fitVariance * PitchInnovation.noiseShare(age: age, spacing: spacing, window: window)
    }
}
