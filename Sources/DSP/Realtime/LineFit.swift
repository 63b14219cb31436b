internal import CRealtime

/// A straight line through points that arrive one by one, by weighted least squares.
///
/// Means and centred sums are updated instead of raw sums of squares, which cancel catastrophically once x is large.
/// - SeeAlso: West, "Updating mean and variance estimates: an improved method", Comm. ACM 22(9), 1979.
package struct LineFit: BitwiseCopyable, Sendable {
    /// The weight of all points so far; 0 before the first.
    package private(set) var weight = 0.0, meanX = 0.0, meanY = 0.0, lastX = 0.0
    package private(set) var count = 0
    /// Σ (x - mean)²: how far the points spread along the line.
    package private(set) var spread = 0.0
    private var sumXY = 0.0, sumYY = 0.0
    /// A Gaussian prior of mean zero on the slope: variance of one point / variance of the slope.
    private let priorSlopeWeight: Double

    /// A line without any points.
    ///
    /// - Parameter priorSlopeWeight: the weight of the prior belief that the slope is zero, in units of Σ (x - mean)².
    ///   0: pure least squares.
    package init(priorSlopeWeight: Double = 0) { self.priorSlopeWeight = priorSlopeWeight }

    /// Adds a point after scaling the weight of all earlier ones by `keeping`.
    package mutating func add(x: Double, y: Double, weight added: Double = 1, keeping: Double = 1) {
        let old = weight * keeping
        let new = old + added
        guard new > 0 else { return }
        let (dx, dy) = (x - meanX, y - meanY)
        let share = old * added / new
        spread = spread * keeping + share * dx * dx
        sumXY = sumXY * keeping + share * dx * dy
        sumYY = sumYY * keeping + share * dy * dy
        meanX += dx * added / new
        meanY += dy * added / new
        (weight, lastX) = (new, x)
        count += 1
    }

    /// Keeps the slope and forgets the place: the next point becomes the new mean.
    package mutating func forgetPlace() { weight = min(weight, LineFit.noPlace) }

    /// Whether the place has been known since it was last forgotten.
    package var hasPlace: Bool { weight > LineFit.noPlace }

    /// Nearly nothing, but not zero: the old line still answers until there is a new place.
    private static let noPlace = 1e-9

    package var slope: Double {
        let denominator = spread + priorSlopeWeight
        return denominator > 0 ? sumXY / denominator : 0
    }

    package func value(at x: Double) -> Double { meanY + slope * (x - meanX) }

    /// The weighted sum of the squared distances in y of the points from the line.
    package var residual: Double { max(0, sumYY - slope * sumXY) }

    /// The variance of the points about the line, for points of weight 1.
    package var residualVariance: Double {
        guard count > 2, weight > 2 else { return .infinity }
        return residual / (weight - 2)
    }

    /// The slope's standard error, if the points have weight 1 and independent errors.
    package var slopeStandardError: Double { spread > 0 ? rt_sqrt(residualVariance / spread) : .infinity }
}
