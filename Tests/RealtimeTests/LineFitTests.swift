import Realtime
import TestSignals
import Testing

@Suite struct LineFitTests {
    /// The normal equations in centred sums, from all points at once.
    private func direct(
        _ points: [(x: Double, y: Double, weight: Double)]
    ) -> (slope: Double, value: Double, residual: Double) {
        let total = points.reduce(0) { $0 + $1.weight }
        let x = points.reduce(0) { $0 + $1.x * $1.weight } / total
        let y = points.reduce(0) { $0 + $1.y * $1.weight } / total
        let xx = points.reduce(0) { $0 + ($1.x - x) * ($1.x - x) * $1.weight }
        let slope = points.reduce(0) { $0 + ($1.x - x) * ($1.y - y) * $1.weight } / xx
        let residual = points.reduce(0) { sum, point in
            let distance = point.y - y - slope * (point.x - x)
            return sum + distance * distance * point.weight
        }
        return (slope, y - slope * x, residual)
    }

    @Test func `A fit point by point equals the fit of all points at once, with weights and without`() {
        let seed: UInt64 = 61
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for run in 0..<50 {
            let points = (0..<40).map { i in
                (
                    x: Double(i) + .random(in: -1...1, using: &random),
                    y: 3 - 0.2 * Double(i) + .random(in: -1...1, using: &random),
                    weight: run % 2 == 0 ? 1 : Double.random(in: 0.1...5, using: &random)
                )
            }
            var fit = LineFit()
            for point in points { fit.add(x: point.x, y: point.y, weight: point.weight) }
            let expected = direct(points)
            // Rounding: 40 updates of 10⁻¹⁶ each, of sums of some hundreds.
            #expect(abs(fit.slope - expected.slope) < 1e-12)
            #expect(abs(fit.value(at: 0) - expected.value) < 1e-11)
            #expect(abs(fit.residual - expected.residual) < 1e-9)
        }
    }

    @Test func `Points far from the origin cost no digits`() {
        var fit = LineFit()
        for i in 0..<1_000 { fit.add(x: 1e9 + Double(i), y: 1e-6 * Double(i)) }
        // x is exact; the slope's relative error is that of the sums, 1,000 · 10⁻¹⁶ at most.
        #expect(abs(fit.slope / 1e-6 - 1) < 1e-12)
    }

    @Test func `A place that is forgotten keeps the slope`() {
        var fit = LineFit()
        for i in 0..<100 { fit.add(x: Double(i), y: 2 * Double(i)) }
        fit.forgetPlace()
        #expect(!fit.hasPlace)
        fit.add(x: 100, y: 500)
        // A weight of 10⁻⁹ is left of the old place.
        #expect(fit.hasPlace && abs(fit.slope - 2) < 1e-6 && abs(fit.value(at: 101) - 502) < 1e-5)
    }
}
