internal import CRealtime

/// One Gauss-Newton step in w, B and two decays: H⁻¹ gᵀr, from where the model was linearized.
struct GaussNewtonStep: BitwiseCopyable {
    /// H and gᵀr, in the order of `FitDirections`. An unknown that is fixed has a unit pivot and no gradient.
    private var h = InlineArray<4, SIMD4<Double>>(repeating: .zero)
    private var r = SIMD4<Double>.zero

    @_noLocks init() { for p in 0..<4 { h[p][p] = 1 } }

    /// Makes a parameter unknown, with its row of H among the unknowns whose bits are set.
    @_noLocks mutating func free(_ unknown: Int, curvature row: SIMD4<Double>, of unknowns: Int, gradient: Double) {
        for q in 0..<4 where unknowns & 1 << q != 0 { h[unknown][q] = row[q] }
        r[unknown] = gradient
    }

    /// Eliminates the decays first, then solves for w and B; `estimate` stays as it is where there is no solution.
    ///
    /// - Parameters:
    ///   - estimate: with the residual where the model was linearized, which has no decay.
    ///   - noise: the power of that residual. What the decays explain of it is no noise.
    ///   - prior: what is known of B before the stretch was looked at; without it B stays where it is.
    @_noLocks mutating func solve(
        _ estimate: inout HarmonicEstimate, fundamental: Double, inharmonicity: Double, noise: Double,
        prior: InharmonicityPrior?
    ) {
        // A direction that depends on another one has no pivot left: the second decay of a tone of one partial.
        let least = 1e-9 * SIMD4(h[0][0], h[1][1], h[2][2], h[3][3])
        var (last, decayed) = (3, 0.0)
        while last >= 2 {
            guard h[last][last] > least[last] else {
                last -= 1
                continue
            }
            decayed += r[last] * r[last] / h[last][last]
            for p in 0..<last {
                let share = h[p][last] / h[last][last]
                h[p] -= h[last] * share
                r[p] -= r[last] * share
            }
            last -= 1
        }
        estimate.decayEvidence = decayed / max(noise, 1e-30)
        estimate.rest = max(0.0025 * estimate.residual, estimate.residual - decayed)
        // 1/400: about what the curvature of a decay leaves of its slope.
        let noise = noise * max(0.0025, 1 - decayed / max(estimate.residual, 1e-30))
        if let prior {
            let weight = noise / prior.variance
            h[1][1] += weight
            r[1] += weight * (prior.value - inharmonicity)
        }
        let determinant = h[0][0] * h[1][1] - h[0][1] * h[1][0]
        guard h[0][0] > 0, h[1][1] > 0, determinant > 1e-12 * h[0][0] * h[1][1] else { return }
        estimate.constrained = fundamental + r[0] / h[0][0]
        estimate.constrainedVariance = noise / h[0][0]
        estimate.fundamental = fundamental + (h[1][1] * r[0] - h[0][1] * r[1]) / determinant
        estimate.inharmonicity = inharmonicity
        estimate.fundamentalVariance = noise * h[1][1] / determinant
        guard prior != nil else { return }
        estimate.inharmonicity += (h[0][0] * r[1] - h[1][0] * r[0]) / determinant
        estimate.inharmonicityVariance = noise * h[0][0] / determinant
        estimate.covariance = -noise * h[0][1] / determinant
    }
}
