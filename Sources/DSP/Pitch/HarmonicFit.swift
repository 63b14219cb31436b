internal import CRealtime
internal import Realtime

/// What one step of a harmonic fit found.
struct HarmonicEstimate: BitwiseCopyable {
    /// The fundamental w in radians per sample and the inharmonicity B.
    var fundamental = 0.0
    var inharmonicity = 0.0
    /// w and its variance if B stays where the model was linearized.
    var constrained = 0.0
    var constrainedVariance = 0.0
    /// Variances and covariance of w and B: the Cramér-Rao bound at the noise found.
    var fundamentalVariance = 0.0
    var inharmonicityVariance = 0.0
    var covariance = 0.0
    /// By how many standard errors squared the decays differ from none.
    var decayEvidence = 0.0
    /// The energy of the stretch without its offset, and what the model leaves of it.
    var energy = 0.0
    var residual = 0.0

    @_noLocks init() {}

    /// The share of the energy that the model explains.
    var explained: Double { @_noLocks get { energy > 0 ? 1 - residual / energy : 0 } }
}

/// What is known of a stiff string's inharmonicity before a stretch is looked at.
struct InharmonicityPrior: BitwiseCopyable {
    var value: Double
    var variance: Double
    @_noLocks init(value: Double, variance: Double) { (self.value, self.variance) = (value, variance) }
}

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

    /// Per unknown (w, B, γ, γ′), one row after the other: coefficients of m sin and m cos in g, Zᵀg, (ZᵀZ)⁻¹ Zᵀg.
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
    @_noLocks mutating func solve(
        energy: Double, prior: InharmonicityPrior?, decays: Int, weights: UnsafeMutablePointer<Double>? = nil
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
            weigh(noise: estimate.residual / freedom)
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

    /// Weighs each partial by how far it stands out of the noise.
    ///
    /// A partial that is not there still gets an amplitude, from the noise alone: a² + b² is 4 σ²/N on average. Its k²
    /// fold share in the information would be false certainty, and its phase would pull at the frequency. The weight
    /// 1 - 4σ²/(N (a² + b²)) of the James-Stein kind takes that share off; below 2.5 times the average (8 % of empty
    /// partials reach that by chance) it is zero.
    @_noLocks private func weigh(noise: Double) {
        let chance = 4 * noise / Double(gram.length)
        var highest = 0.0
        var best = 1
        weight.base[0] = 0
        for k in 1...gram.partialCount {
            let power = cosine.base[k] * cosine.base[k] + sine.base[k] * sine.base[k]
            weight.base[k] = power > 2.5 * chance ? 1 - chance / power : 0
            if power > highest { (highest, best) = (power, k) }
        }
        // Something must carry the pitch.
        if weight.base[best] < 0.1 { weight.base[best] = 0.1 }
    }

    /// The repetition rate of the waveform, in radians per sample: where its autocorrelation Σ A_k² cos ω_k τ peaks.
    ///
    /// Close to that peak it is the mean of ω_k / k, weighted by k² A_k². Partials in the upper third of a slow copy's
    /// band, which its low-pass weakens, count for less than they should.
    @_noLocks func repetition() -> Double {
        var (sum, weights) = (0.0, 0.0)
        for k in 1...gram.partialCount {
            let power = weight.base[k] * (cosine.base[k] * cosine.base[k] + sine.base[k] * sine.base[k])
            sum += Double(k) * power * gram.frequency.base[k]
            weights += Double(k * k) * power
        }
        return weights > 0 ? sum / weights : gram.fundamental
    }

    /// The highest partial whose power stands out of the noise by `ratio` times the average of an empty one.
    @_noLocks func highestPartial(over ratio: Double) -> Int {
        // weight = 1 - 1/x where x is that ratio.
        let least = 1 - 1 / ratio
        var k = gram.partialCount
        while k > 1 && weight.base[k] < least { k -= 1 }
        return k
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

    /// Leaves Zᵀg and (ZᵀZ)⁻¹ Zᵀg behind the coefficients, and the image that `curvature` needs.
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
        solveCosines(even + 2 * stride)
        solveSines(odd + 2 * stride)
    }

    /// gᵀg - gᵀZ (ZᵀZ)⁻¹ Zᵀg between two unknowns.
    @_noLocks private func curvature(_ p: Int, _ q: Int) -> Double {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        let (evenP, oddP) = (evenSide.base + 3 * p * stride, oddSide.base + 3 * p * stride)
        let (evenQ, oddQ) = (evenSide.base + 3 * q * stride, oddSide.base + 3 * q * stride)
        var sum = dot(evenP + 1, evenImage.base + q * stride + 1, count)
        sum += dot(oddP + 1, oddImage.base + q * stride + 1, count)
        sum -= dot(evenP + stride, evenQ + 2 * stride, count + 1)
        sum -= dot(oddP + stride + 1, oddQ + 2 * stride + 1, count)
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

/// Two fits at fixed places: one for trials and the short window, one for the long window.
struct HarmonicFits: ~Copyable {
    private let memory: UnsafeMutablePointer<HarmonicFit>

    init() {
        memory = UnsafeMutablePointer<HarmonicFit>.allocate(capacity: 2)
        memory.initialize(to: HarmonicFit())
        (memory + 1).initialize(to: HarmonicFit())
    }

    deinit {
        memory.deinitialize(count: 2)
        memory.deallocate()
    }

    /// For trials and the short window.
    var short: UnsafeMutablePointer<HarmonicFit> { @_noLocks get { memory } }
    /// For the long window.
    var long: UnsafeMutablePointer<HarmonicFit> { @_noLocks get { memory + 1 } }
}

private func makeRow() -> SampleBuffer<Double> { SampleBuffer(count: HarmonicGram.stride) }
