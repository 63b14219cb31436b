/// The value at 0 of the parabola through weighted points: of times about a beat, where the tempo may rise or fall.
///
/// - SeeAlso: Cleveland & Devlin, "Locally weighted regression", J. Am. Stat. Assoc. 83, 1988.
internal struct LocalCurve {
    /// Σ w xⁿ and Σ w xⁿ y.
    private var x = InlineArray<5, Double>(repeating: 0)
    private var y = InlineArray<3, Double>(repeating: 0)
    private var count = 0

    /// So many points tell a parabola from their scatter.
    private static let fewest = 6

    mutating func add(_ x: Double, _ y: Double, weight: Double) {
        var power = weight
        for n in 0..<5 {
            self.x[n] += power
            if n < 3 { self.y[n] += power * y }
            power *= x
        }
        count += 1
    }

    /// `nil` where the points do not tell: too few of them, or all in one place.
    var value: Double? {
        guard count >= Self.fewest, x[0] > 0 else { return nil }
        // Cramer's rule.
        let (a, b, c) = (x[2] * x[4] - x[3] * x[3], x[2] * x[3] - x[1] * x[4], x[1] * x[3] - x[2] * x[2])
        let determinant = x[0] * a + x[1] * b + x[2] * c
        // Of places that stand close together it is the difference of numbers that are all but alike.
        guard determinant > 1e-6 * x[0] * x[2] * x[4] else { return nil }
        return (y[0] * a + y[1] * b + y[2] * c) / determinant
    }
}
