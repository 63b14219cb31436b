/// A straight line through points that arrive one by one, by weighted least squares.
///
/// Means and centred sums are updated, never raw sums of squares: those cancel catastrophically once x is large.
/// - SeeAlso: West, "Updating mean and variance estimates: an improved method", Comm. ACM 22(9), 1979.
internal struct LineFit: BitwiseCopyable, Sendable {
    /// The weight of all points so far; 0 before the first.
    internal private(set) var weight = 0.0
    internal private(set) var meanX = 0.0
    internal private(set) var meanY = 0.0
    /// The newest point's x.
    internal private(set) var lastX = 0.0
    /// Points since the last `forgetPlace`, or all.
    internal private(set) var count = 0
    private var sumXX = 0.0
    private var sumXY = 0.0
    private var sumYY = 0.0
    /// A Gaussian prior of mean zero on the slope: variance of one point / variance of the slope.
    private let priorSlopeWeight: Double

    /// A line that has seen nothing.
    ///
    /// - Parameter priorSlopeWeight: what a slope of zero counts, in units of Σ(x - mean)². 0: pure least squares.
    internal init(priorSlopeWeight: Double = 0) { self.priorSlopeWeight = priorSlopeWeight }

    /// Adds a point of weight 1 after scaling the weight of all earlier ones by `keeping`.
    internal mutating func add(x: Double, y: Double, keeping: Double = 1) {
        let old = weight * keeping
        let new = old + 1
        let (dx, dy) = (x - meanX, y - meanY)
        let share = old / new
        sumXX = sumXX * keeping + share * dx * dx
        sumXY = sumXY * keeping + share * dx * dy
        sumYY = sumYY * keeping + share * dy * dy
        meanX += dx / new
        meanY += dy / new
        (weight, lastX) = (new, x)
        count += 1
    }

    /// Keeps the slope and drops the place: the next point becomes the new mean.
    internal mutating func forgetPlace() { weight = min(weight, LineFit.noPlace) }

    /// Whether the place has been known since it was last forgotten.
    internal var hasPlace: Bool { weight > LineFit.noPlace }

    /// As good as nothing, and not zero: the last line still answers until there is a new place.
    private static let noPlace = 1e-9

    /// dy/dx.
    internal var slope: Double {
        let denominator = sumXX + priorSlopeWeight
        return denominator > 0 ? sumXY / denominator : 0
    }

    /// The line's y at `x`.
    internal func value(at x: Double) -> Double { meanY + slope * (x - meanX) }

    /// The scatter of the points about the line: its variance, for equal weights.
    internal var residualVariance: Double {
        guard count > 2, weight > 2 else { return .infinity }
        return max(0, sumYY - slope * sumXY) / (weight - 2)
    }

    /// The slope's standard error, if the points' errors are independent.
    internal var slopeStandardError: Double {
        sumXX > 0 ? (residualVariance / sumXX).squareRoot() : .infinity
    }
}
