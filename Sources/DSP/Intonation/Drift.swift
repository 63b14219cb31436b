package import Music
internal import Realtime

/// The change of intonation over a take: a straight line through the deviations of its notes.
package struct Drift: Sendable {
    package let perMinute: Cents
    /// The standard error of the slope, per minute: the true slope lies within two of these 19 times out of 20.
    package let standardError: Cents

    /// Whether the slope exceeds what the scatter of the notes explains: two standard errors.
    package var isSignificant: Bool { abs(perMinute.value) > 2 * standardError.value }

    /// The weighted least-squares line; its error follows from the residuals. `nil` for fewer than three points or if all
    /// are at one time.
    ///
    /// - SeeAlso: Bevington and Robinson, "Data Reduction and Error Analysis for the Physical Sciences", 2003, ch. 6.
    init?(_ points: [(time: Duration, deviation: Cents, weight: Double)]) {
        var line = LineFit()
        for point in points { line.add(x: point.time / .seconds(60), y: point.deviation.value, weight: point.weight) }
        guard points.count > 2, line.weight > 0, line.spread > 0 else { return nil }
        perMinute = Cents(line.slope)
        standardError = Cents((line.residual / Double(points.count - 2) / line.spread).squareRoot())
    }
}
