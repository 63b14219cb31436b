internal import Realtime

/// The line of least squares through taps.
internal struct TapLine {
    /// Its slope: seconds per beat.
    internal let period: Double
    /// The sum of the squared distances from it.
    internal let residual: Double
    /// Σ (place - mean)².
    internal let spread: Double

    internal init?(_ taps: ArraySlice<TapTempo.Tap>) {
        guard let first = taps.first, let last = taps.last, last.place > first.place else { return nil }
        // Deviations from the mean period: the times themselves would cost digits.
        let mean = (last.seconds - first.seconds) / (last.place - first.place)
        func late(_ tap: TapTempo.Tap) -> Double { tap.seconds - first.seconds - mean * (tap.place - first.place) }
        var fit = LineFit()
        for tap in taps { fit.add(x: tap.place, y: late(tap)) }
        guard mean + fit.slope > 0 else { return nil }
        (period, residual, spread) = (mean + fit.slope, fit.residual, fit.spread)
    }
}
