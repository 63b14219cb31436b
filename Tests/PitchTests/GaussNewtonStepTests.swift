import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct GaussNewtonStepTests {
    @Test func `The step and its variances are those of the whole system, solved by elimination`() {
        var generator = SeededGenerator(seed: 53)
        for _ in 0..<200 {
            // H = M Mᵀ + 1 is positive definite.
            let m = (0..<4).map { _ in (0..<4).map { _ in Double.random(in: -1...1, using: &generator) } }
            func product(_ i: Int, _ j: Int) -> Double { zip(m[i], m[j]).map { $0 * $1 }.reduce(i == j ? 1 : 0, +) }
            let h = (0..<4).map { i in (0..<4).map { j in product(i, j) } }
            let r = (0..<4).map { _ in Double.random(in: -1...1, using: &generator) }
            let noise = Double.random(in: 0.1...2, using: &generator)
            var step = GaussNewtonStep()
            for p in 0..<4 {
                step.free(p, curvature: SIMD4(h[p][0], h[p][1], h[p][2], h[p][3]), of: 15, gradient: r[p])
            }
            var estimate = HarmonicEstimate()
            // What the two decays explain, r_d' H_dd^-1 r_d, is 2 at most; 3 is what is left without them.
            estimate.residual = 3
            let decays = inverted([Array(h[2][2...]), Array(h[3][2...])])
            let gained = (0..<2).reduce(0.0) { sum, i in
                sum + r[i + 2] * (decays[i][0] * r[2] + decays[i][1] * r[3])
            }
            let left = noise * (1 - gained / 3)
            let prior = InharmonicityPrior(value: 0.3, variance: generator.logUniform(0.1, 10))
            step.solve(&estimate, fundamental: 0.5, inharmonicity: 0.25, noise: noise, prior: prior)
            // What is known before counts as much as one more measurement of that variance.
            var (all, target) = (h, r)
            all[1][1] += left / prior.variance
            target[1] += left / prior.variance * 0.05
            let inverse = inverted(all)
            let x = (0..<4).map { i in (0..<4).reduce(0.0) { $0 + inverse[i][$1] * target[$1] } }
            // Numbers of about 1, eliminated in another order.
            #expect(gained > 0 && abs(estimate.decayEvidence - gained / noise) < 1e-10)
            #expect(abs(estimate.fundamental - 0.5 - x[0]) < 1e-10)
            #expect(abs(estimate.inharmonicity - 0.25 - x[1]) < 1e-10)
            #expect(abs(estimate.fundamentalVariance - left * inverse[0][0]) < 1e-10)
            #expect(abs(estimate.inharmonicityVariance - left * inverse[1][1]) < 1e-10)
            #expect(abs(estimate.covariance - left * inverse[0][1]) < 1e-10)
        }
    }

    @Test func `A decay that the other one holds already changes nothing`() {
        var generator = SeededGenerator(seed: 54)
        for _ in 0..<200 {
            // Frequency and one decay of a lone partial; the second decay is the number of that partial times the first.
            let m = (0..<4).map { _ in Double.random(in: -1...1, using: &generator) }
            let h = [[m[0] * m[0] + 1, m[0] * m[1]], [m[0] * m[1], m[1] * m[1] + 1]]
            let number = Double(Int.random(in: 1...40, using: &generator))
            let rows = [
                SIMD4(h[0][0], 0, h[0][1], number * h[0][1]), SIMD4(0, 1, 0, 0),
                SIMD4(h[1][0], 0, h[1][1], number * h[1][1]),
                SIMD4(number * h[1][0], 0, number * h[1][1], number * number * h[1][1]),
            ]
            var (both, one) = (GaussNewtonStep(), GaussNewtonStep())
            for (p, gradient) in [(0, m[2]), (2, m[3]), (3, number * m[3])] {
                both.free(p, curvature: rows[p], of: 0b1101, gradient: gradient)
                if p < 3 { one.free(p, curvature: rows[p], of: 0b101, gradient: gradient) }
            }
            var (found, expected) = (HarmonicEstimate(), HarmonicEstimate())
            (found.residual, expected.residual) = (10, 10)
            both.solve(&found, fundamental: 1, inharmonicity: 0, noise: 1, prior: nil)
            one.solve(&expected, fundamental: 1, inharmonicity: 0, noise: 1, prior: nil)
            #expect(expected.constrainedVariance > 0 && expected.decayEvidence > 0)
            #expect(abs(found.constrained - expected.constrained) < 1e-10)
            #expect(abs(found.constrainedVariance - expected.constrainedVariance) < 1e-10)
            #expect(abs(found.decayEvidence - expected.decayEvidence) < 1e-10)
        }
    }

    @Test func `A singular system leaves the estimate as it is`() {
        var step = GaussNewtonStep()
        step.free(0, curvature: SIMD4(0, 0, 0, 0), of: 1, gradient: 1)
        var estimate = HarmonicEstimate()
        step.solve(&estimate, fundamental: 1, inharmonicity: 0, noise: 1, prior: nil)
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
