internal import Realtime

/// The slope that several lines have in common, each with a place of its own: least squares within the lines.
///
/// A line contributes its centred sums only, since its place tells nothing about that of another.
/// - SeeAlso: Snedecor & Cochran, "Statistical Methods", 8th ed., 1989, chapter 18 (regression within classes).
internal struct SharedSlope: BitwiseCopyable, Sendable {
    /// The common slope; 0 without points.
    private(set) var slope = 0.0
    /// Σ (x - mean)² within the lines.
    private var spread = 0.0
    /// The sum of the squared distances of the points from their lines.
    private var residual = 0.0
    /// Points, without one for the place of each line.
    private(set) var independentPoints = 0
    /// How far the lines reach along x, one after the other.
    private(set) var length = 0.0

    /// By how many standard errors two lines may differ and have the same slope: by chance one in two million does not.
    private static let gate = 5.0
    /// Errors are not smaller than what a time is rounded to: a nanosecond.
    private static let leastVariance = 1e-18

    /// No lines.
    init() {}

    /// A single line that begins at x = 0.
    init(_ fit: LineFit) {
        guard fit.count > 0 else { return }
        (slope, spread, residual, length) = (fit.slope, fit.spread, fit.residual, fit.lastX)
        independentPoints = fit.count - 1
    }

    /// The variance of a point about its line; infinite if nothing is known about it.
    private var variance: Double {
        independentPoints > 1 ? max(Self.leastVariance, residual / Double(independentPoints - 1)) : .infinity
    }

    /// The slope's standard error, if the points have independent errors.
    var standardError: Double { spread > 0 ? (variance / spread).squareRoot() : .infinity }

    /// Both together; only `newer`, or only this, if they have not the same slope.
    ///
    /// - Parameter fewest: the independent points from which on a line can prove that the slope has become another one. One
    ///   with fewer that does not fit is left out.
    func joined(with newer: SharedSlope, fewest: Int) -> SharedSlope {
        guard spread > 0, newer.spread > 0 else { return spread > 0 ? self : newer }
        let whole = spread + newer.spread
        let difference = newer.slope - slope
        // Of each the larger variance: a line that was disturbed proves nothing.
        let expected = max(variance, newer.variance) * (1 / spread + 1 / newer.spread)
        if difference * difference > Self.gate * Self.gate * expected {
            return newer.independentPoints >= fewest ? newer : self
        }
        var both = SharedSlope()
        both.spread = whole
        both.slope = slope + difference * newer.spread / whole
        both.residual = residual + newer.residual + difference * difference * spread * newer.spread / whole
        both.independentPoints = independentPoints + newer.independentPoints
        both.length = length + newer.length
        return both
    }
}
