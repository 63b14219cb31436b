import TestSignals
import Testing

@testable import Pitch

@Suite struct GaussNewtonStepTests {
    @Test func `The step and its variances are those of the whole system, solved by elimination`() {
        var generator = SeededGenerator(seed: 53)
        for _ in 0..<200 {
            // H = M Mᵀ + 1 is positive definite.
            let m = (0..<4).map { _ in (0..<4).map { _ in Double.random(in: -1...1, using: &generator) } }
            let h = (0..<4).map { i in
                (0..<4).map { j in (0..<4).reduce(i == j ? 1.0 : 0) { $0 + m[i][$1] * m[j][$1] } }
            }
            let r = (0..<4).map { _ in Double.random(in: -1...1, using: &generator) }
            let noise = Double.random(in: 0.1...2, using: &generator)
            var step = GaussNewtonStep()
            for p in 0..<4 {
                step.free(p, curvature: SIMD4(h[p][0], h[p][1], h[p][2], h[p][3]), of: 15, gradient: r[p])
            }
            var estimate = HarmonicEstimate()
            step.solve(
                &estimate, fundamental: 0.5, inharmonicity: 0.25, noise: noise, isInharmonicityFree: true)
            let inverse = inverted(h)
            let x = (0..<4).map { i in (0..<4).reduce(0.0) { $0 + inverse[i][$1] * r[$1] } }
            // Numbers of about 1, eliminated in another order.
            #expect(abs(estimate.fundamental - 0.5 - x[0]) < 1e-10)
            #expect(abs(estimate.inharmonicity - 0.25 - x[1]) < 1e-10)
            #expect(abs(estimate.fundamentalVariance - noise * inverse[0][0]) < 1e-10)
            #expect(abs(estimate.inharmonicityVariance - noise * inverse[1][1]) < 1e-10)
            #expect(abs(estimate.covariance - noise * inverse[0][1]) < 1e-10)
        }
    }

    @Test func `A singular system leaves the estimate as it is`() {
        var step = GaussNewtonStep()
        step.free(0, curvature: SIMD4(0, 0, 0, 0), of: 1, gradient: 1)
        var estimate = HarmonicEstimate()
        step.solve(&estimate, fundamental: 1, inharmonicity: 0, noise: 1, isInharmonicityFree: false)
        #expect(estimate.constrainedVariance == 0 && estimate.fundamental == 0)
    }
}

/// Gauss-Jordan, straightforwardly.
private func inverted(_ h: [[Double]]) -> [[Double]] {
    let n = h.count
    var a = (0..<n).map { i in h[i] + (0..<n).map { $0 == i ? 1.0 : 0 } }
    for p in 0..<n {
        let pivot = a[p][p]
        a[p] = a[p].map { $0 / pivot }
        for i in 0..<n where i != p {
            let factor = a[i][p]
            for j in 0..<(2 * n) { a[i][j] -= factor * a[p][j] }
        }
    }
    return a.map { Array($0[n...]) }
}
