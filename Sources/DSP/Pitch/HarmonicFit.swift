internal import CRealtime
internal import Realtime

/// The least-squares fit of a stiff string's tone to a stretch of sound.
///
///     y[m] ≈ c + Σ_{k=1}^{K} e^{-(γ + γ′k) m} (a_k cos ω_k m + b_k sin ω_k m),   ω_k = k w √(1 + B k²)
///
/// The amplitudes are solved for exactly. w, B and the decays move by one Gauss-Newton step from where `gram` stands, with the
/// amplitudes projected out: with residual r, derivative g of the model and amplitude space Z,
///
///     H = gᵀg - gᵀZ (ZᵀZ)⁻¹ Zᵀg,   step = H⁻¹ gᵀ r,   variance = σ² H⁻¹
///
/// In white noise this is the maximum-likelihood estimate, and the variance its Cramér-Rao bound at the noise σ² found.
/// - Complexity: about 12 K² operations per unknown, none per sample.
/// - SeeAlso: Kay, "Fundamentals of Statistical Signal Processing: Estimation Theory", 1993, chapters 3 and 8;
///   Golub & Pereyra, "The differentiation of pseudo-inverses", SIAM J. Numer. Anal. 10(2), 1973.
struct HarmonicFit: ~Copyable {
    /// Where the model is linearized.
    var gram = HarmonicGram()
    /// Σ y cos, Σ y sin, Σ m y cos, Σ m y sin per entry: to be filled before `solve`.
    let cosineMoment = makeRow()
    let sineMoment = makeRow()
    let cosineSlopeMoment = makeRow()
    let sineSlopeMoment = makeRow()
    /// The amplitudes a_k and b_k of the last `solve`; a_0 is the offset.
    let cosine = makeRow()
    let sine = makeRow()
    /// How much each partial counts, 0 to 1, as the last `solve` found it; see `weigh`.
    let weight = makeRow()

    /// cos ω_k a, sin ω_k a, cos ω_k b, sin ω_k b for the a and b of the last `turn`.
    let turns = SampleBuffer<Float>(count: 4 * HarmonicGram.stride)
    private var turned = (first: 0.0, span: 0.0, fundamental: 0.0, inharmonicity: 0.0, count: 0)

    /// Per unknown (w, B, γ, γ′), one row after the other: coefficients of m sin and m cos in g, Zᵀg, L⁻¹ Zᵀg.
    private let evenSide = SampleBuffer<Double>(count: 12 * HarmonicGram.stride)
    private let oddSide = SampleBuffer<Double>(count: 12 * HarmonicGram.stride)
    /// The Gram matrix of the weighted directions times their coefficients, per unknown.
    private let evenImage = SampleBuffer<Double>(count: 4 * HarmonicGram.stride)
    private let oddImage = SampleBuffer<Double>(count: 4 * HarmonicGram.stride)

    init() {}

    /// Leaves e^{i ω_k first} and e^{i ω_k span} in `turns`; free of charge while nothing has changed.
    @_noLocks mutating func turn(first: Double, span: Double) {
        let wanted = (
            first: first, span: span, fundamental: gram.fundamental, inharmonicity: gram.inharmonicity,
            count: gram.partialCount
        )
        if wanted == turned { return }
        turned = wanted
        let stride = HarmonicGram.stride
        for k in 0...gram.partialCount {
            let omega = gram.frequency.base[k]
            turns.base[k] = Float(rt_cos(omega * first))
            turns.base[stride + k] = Float(rt_sin(omega * first))
            turns.base[2 * stride + k] = Float(rt_cos(omega * span))
            turns.base[3 * stride + k] = Float(rt_sin(omega * span))
        }
    }

    /// Takes over six rows as `PartialMoments.measure` leaves them.
    @_noLocks func setMoments(_ rows: UnsafeMutablePointer<Float>) {
        let stride = PartialMoments.stride
        for k in 0...gram.partialCount {
            cosineMoment.base[k] = Double(rows[k])
            sineMoment.base[k] = Double(rows[stride + k])
            cosineSlopeMoment.base[k] = Double(rows[2 * stride + k])
            sineSlopeMoment.base[k] = Double(rows[3 * stride + k])
        }
    }

    /// Solves for the amplitudes and takes one step in the unknowns.
    ///
    /// - Parameters:
    ///   - energy: Σ y² of the stretch whose moments were set.
    ///   - prior: makes B an unknown, starting from this; without it B stays where `gram` stands.
    ///   - decays: how many of γ and γ′ are unknown.
    ///   - weights: how much each partial counts, from a longer stretch; by default this one tells.
    ///   - least: how many times the average of an empty partial one must have to count.
    // Not inlined: `bench check` counts its instructions by its name.
    @inline(never) @_noLocks mutating func solve(
        energy: Double, prior: InharmonicityPrior?, decays: Int, weights: UnsafeMutablePointer<Double>? = nil,
        least: Double = 2.5
    ) -> HarmonicEstimate {
        var estimate = HarmonicEstimate()
        let (count, length) = (gram.partialCount, Double(gram.length))
        let explained = solveAmplitudes()
        let offset = cosineMoment.base[0]
        estimate.energy = max(0, energy - offset * offset / length)
        // The moments are sums of floats: below a millionth of the energy the difference is rounding.
        estimate.residual = max(estimate.energy * 1e-7, energy - explained)
        let unknowns = 2 + (prior == nil ? 0 : 1) + decays
        let freedom = max(1, length - Double(2 * count + unknowns))
        if let weights {
            for k in 0...count { weight.base[k] = weights[k] }
        } else {
            weigh(noise: estimate.residual / freedom, least: least)
        }
        setDirection(0, derivative: gram.perFundamental.base)
        if prior != nil { setDirection(1, derivative: gram.perInharmonicity.base) }
        if decays > 0 { setDecay(2, byNumber: false) }
        if decays > 1 { setDecay(3, byNumber: true) }
        let noise = estimate.residual / freedom
        step(&estimate, noise: noise, prior: prior, decays: decays)
        return estimate
    }

    /// H⁻¹ gᵀr: the two decays are eliminated first, then w and B are solved for.
    @_noLocks private func step(
        _ estimate: inout HarmonicEstimate, noise: Double, prior: InharmonicityPrior?, decays: Int
    ) {
        // Unknowns that are fixed keep a unit pivot and no gradient: they do not move.
        var h = InlineArray<4, SIMD4<Double>>(repeating: .zero)
        var r = SIMD4<Double>.zero
        for p in 0..<4 {
            h[p][p] = 1
            guard p == 0 || (p == 1 && prior != nil) || (p > 1 && p - 2 < decays) else { continue }
            for q in 0...p {
                guard q == 0 || (q == 1 && prior != nil) || q > 1 else { continue }
                let value = curvature(p, q)
                h[p][q] = value
                h[q][p] = value
            }
            r[p] = gradient(p)
        }
        if let prior {
            let weight = noise / prior.variance
            h[1][1] += weight
            r[1] += weight * (prior.value - gram.inharmonicity)
        }
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
        estimate.constrained = gram.fundamental + r[0] / h[0][0]
        estimate.constrainedVariance = noise / h[0][0]
        estimate.fundamental = gram.fundamental + (h[1][1] * r[0] - h[0][1] * r[1]) / determinant
        estimate.inharmonicity = gram.inharmonicity
        estimate.fundamentalVariance = noise * h[1][1] / determinant
        guard prior != nil else { return }
        estimate.inharmonicity += (h[0][0] * r[1] - h[1][0] * r[0]) / determinant
        estimate.inharmonicityVariance = noise * h[0][0] / determinant
        estimate.covariance = -noise * h[0][1] / determinant
    }

    /// How far partial `k` by itself lies from where the model has it, in radians per sample, and the square of how
    /// well that is known, for a noise of unit variance. To be called after `solve`.
    @_noLocks mutating func detuning(of k: Int) -> (shift: Double, variance: Double) {
        let at = 3 * HarmonicGram.stride
        for other in 0...gram.partialCount {
            evenSide.base[at + other] = 0
            oddSide.base[at + other] = 0
        }
        evenSide.base[at + k] = -cosine.base[k]
        oddSide.base[at + k] = sine.base[k]
        project(1)
        let information = curvature(1, 1)
        return information > 0 ? (gradient(1) / information, 1 / information) : (0, .infinity)
    }

    /// Leaves a and b; returns the energy they explain.
    @_noLocks private func solveAmplitudes() -> Double {
        let count = gram.partialCount
        let (a, b) = (cosine.base, sine.base)
        for k in 0...count { (a[k], b[k]) = (cosineMoment.base[k], sineMoment.base[k]) }
        b[0] = 0
        solveCosines(a)
        solveSines(b)
        return dot(a, cosineMoment.base, count + 1) + dot(b + 1, sineMoment.base + 1, count)
    }

    @_noLocks private func solveCosines(_ x: UnsafeMutablePointer<Double>) {
        solveFactored(gram.cosineFactor.base, size: gram.partialCount + 1, stride: HarmonicGram.stride, x)
    }

    @_noLocks private func solveSines(_ x: UnsafeMutablePointer<Double>) {
        solveFactored(
            gram.sineFactor.base + HarmonicGram.stride + 1, size: gram.partialCount, stride: HarmonicGram.stride, x + 1)
    }

    /// g of a frequency: Σ ∂ω_k m (-a_k sin + b_k cos).
    @_noLocks private func setDirection(_ unknown: Int, derivative: UnsafeMutablePointer<Double>) {
        let at = 3 * unknown * HarmonicGram.stride
        for k in 0...gram.partialCount {
            evenSide.base[at + k] = -cosine.base[k] * derivative[k] * weight.base[k]
            oddSide.base[at + k] = sine.base[k] * derivative[k] * weight.base[k]
        }
        project(unknown)
    }

    /// g of the decay: -Σ m (a_k cos + b_k sin), and the same with each partial k times.
    @_noLocks private func setDecay(_ unknown: Int, byNumber: Bool) {
        let at = 3 * unknown * HarmonicGram.stride
        for k in 0...gram.partialCount {
            let scale = byNumber ? weight.base[k] * Double(k) : weight.base[k]
            evenSide.base[at + k] = -sine.base[k] * scale
            oddSide.base[at + k] = -cosine.base[k] * scale
        }
        // The offset does not decay: its weight is zero.
        project(unknown)
    }

    /// Leaves Zᵀg and L⁻¹ Zᵀg behind the coefficients, and the image that `curvature` needs.
    @_noLocks private func project(_ unknown: Int) {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        let even = evenSide.base + 3 * unknown * stride
        let odd = oddSide.base + 3 * unknown * stride
        for i in 0...count {
            even[stride + i] = dot(gram.cosineSlope.base + i * stride + 1, even + 1, count)
            odd[stride + i] = i == 0 ? 0 : dot(gram.sineSlope.base + i * stride + 1, odd + 1, count)
            even[2 * stride + i] = even[stride + i]
            odd[2 * stride + i] = odd[stride + i]
            evenImage.base[unknown * stride + i] = dot(gram.sineSquare.base + i * stride + 1, even + 1, count)
            oddImage.base[unknown * stride + i] = dot(gram.cosineSquare.base + i * stride + 1, odd + 1, count)
        }
        // With ZᵀZ = L Lᵀ, gᵀZ (ZᵀZ)⁻¹ Zᵀg is the square of L⁻¹ Zᵀg: half of the solution is enough.
        substitute(gram.cosineFactor.base, size: count + 1, stride: stride, even + 2 * stride)
        substitute(gram.sineFactor.base + stride + 1, size: count, stride: stride, odd + 2 * stride + 1)
    }

    /// gᵀg - gᵀZ (ZᵀZ)⁻¹ Zᵀg between two unknowns.
    @_noLocks private func curvature(_ p: Int, _ q: Int) -> Double {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        let (evenP, oddP) = (evenSide.base + 3 * p * stride, oddSide.base + 3 * p * stride)
        let (evenQ, oddQ) = (evenSide.base + 3 * q * stride, oddSide.base + 3 * q * stride)
        var sum = dot(evenP + 1, evenImage.base + q * stride + 1, count)
        sum += dot(oddP + 1, oddImage.base + q * stride + 1, count)
        sum -= dot(evenP + 2 * stride, evenQ + 2 * stride, count + 1)
        sum -= dot(oddP + 2 * stride + 1, oddQ + 2 * stride + 1, count)
        return sum
    }

    /// gᵀ r.
    @_noLocks private func gradient(_ unknown: Int) -> Double {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        let (even, odd) = (evenSide.base + 3 * unknown * stride, oddSide.base + 3 * unknown * stride)
        var sum = dot(even + 1, sineSlopeMoment.base + 1, count) + dot(odd + 1, cosineSlopeMoment.base + 1, count)
        sum -= dot(even + stride, cosine.base, count + 1)
        sum -= dot(odd + stride + 1, sine.base + 1, count)
        return sum
    }
}

private func makeRow() -> SampleBuffer<Double> { SampleBuffer(count: HarmonicGram.stride) }
