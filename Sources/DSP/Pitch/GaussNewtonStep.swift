internal import CRealtime

/// One Gauss-Newton step in w, B and two decays: H⁻¹ gᵀr, from where the model was linearized.
struct GaussNewtonStep: BitwiseCopyable {
    /// H and gᵀr, in the order of `FitDirections`. An unknown that is fixed has a unit pivot and no gradient.
    private var h = InlineArray<4, SIMD4<Double>>(repeating: .zero)
    private var r = SIMD4<Double>.zero

    @_noLocks init() { for p in 0..<4 { h[p][p] = 1 } }

    /// Frees an unknown, with its row of H among the unknowns whose bits are set.
    @_noLocks mutating func free(_ unknown: Int, curvature row: SIMD4<Double>, of unknowns: Int, gradient: Double) {
        for q in 0..<4 where unknowns & 1 << q != 0 { h[unknown][q] = row[q] }
        r[unknown] = gradient
    }

    /// Adds what is known of B before the stretch was looked at.
    @_noLocks mutating func expect(_ prior: InharmonicityPrior, inharmonicity: Double, noise: Double) {
        let weight = noise / prior.variance
        h[1][1] += weight
        r[1] += weight * (prior.value - inharmonicity)
    }

    /// Eliminates the decays first, then solves for w and B; `estimate` stays as it is where there is no solution.
    @_noLocks mutating func solve(
        _ estimate: inout HarmonicEstimate, fundamental: Double, inharmonicity: Double, noise: Double,
        isInharmonicityFree: Bool
    ) {
        var last = 3
        while last >= 2 {
            guard h[last][last] > 0 else { return }
            estimate.decayEvidence += r[last] * r[last] / (h[last][last] * max(noise, 1e-30))
            for p in 0..<last {
                let share = h[p][last] / h[last][last]
                h[p] -= h[last] * share
                r[p] -= r[last] * share
            }
            last -= 1
        }
        let determinant = h[0][0] * h[1][1] - h[0][1] * h[1][0]
        guard h[0][0] > 0, h[1][1] > 0, determinant > 1e-12 * h[0][0] * h[1][1] else { return }
        estimate.constrained = fundamental + r[0] / h[0][0]
        estimate.constrainedVariance = noise / h[0][0]
        estimate.fundamental = fundamental + (h[1][1] * r[0] - h[0][1] * r[1]) / determinant
        estimate.inharmonicity = inharmonicity
        estimate.fundamentalVariance = noise * h[1][1] / determinant
        guard isInharmonicityFree else { return }
        estimate.inharmonicity += (h[0][0] * r[1] - h[1][0] * r[0]) / determinant
        estimate.inharmonicityVariance = noise * h[0][0] / determinant
        estimate.covariance = -noise * h[0][1] / determinant
    }
}
