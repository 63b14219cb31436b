internal import CRealtime
internal import Realtime

/// The least-squares fit of a stiff string's tone to a stretch of sound.
///
///     y[m] ≈ c + Σ_{k=1}^{K} e^{-(γ + γ′k) m} (a_k cos ω_k m + b_k sin ω_k m),   ω_k = k w √(1 + B k²)
///
/// The amplitudes are solved for exactly. w, B and the decays move by one Gauss-Newton step from where `gram`
/// stands, with the amplitudes projected out: with residual r, derivative g of the model and amplitude space Z,
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
    /// Working rows of `solve`: the amplitudes a_k and b_k, a_0 being the offset, and how much each partial counts. What
    /// they say is returned as a `FittedTone`.
    let cosine = makeRow()
    let sine = makeRow()
    let weight = makeRow()

    /// cos ω_k a, sin ω_k a, cos ω_k b, sin ω_k b for the a and b of the last `turn`.
    let turns = SampleBuffer<Float>(count: 4 * HarmonicGram.stride)
    private var turned = (first: 0.0, span: 0.0, fundamental: 0.0, inharmonicity: 0.0, count: 0)

    private var directions = FitDirections()
    /// Σ m r sin ω_k m and Σ m r cos ω_k m of what the amplitudes of the last `solve` leave.
    private let evenRest = makeRow()
    private let oddRest = makeRow()

    init() {}

    /// Leaves e^{i ω_k first} and e^{i ω_k span} in `turns`; costs nothing while nothing has changed.
    @_noLocks mutating func turn(first: Double, span: Double) {
        let wanted = (
            first: first, span: span, fundamental: gram.fundamental, inharmonicity: gram.inharmonicity,
            count: gram.partialCount
        )
        if wanted == turned { return }
        turned = wanted
        let stride = HarmonicGram.stride
        for k in 0...gram.partialCount {
            let omega = gram.frequency.start[k]
            turns.start[k] = Float(rt_cos(omega * first))
            turns.start[stride + k] = Float(rt_sin(omega * first))
            turns.start[2 * stride + k] = Float(rt_cos(omega * span))
            turns.start[3 * stride + k] = Float(rt_sin(omega * span))
        }
    }

    /// Takes over six rows as `PartialMoments.measure` leaves them.
    @_noLocks func setMoments(_ rows: UnsafeMutablePointer<Float>) {
        let stride = PartialMoments.stride
        for k in 0...gram.partialCount {
            cosineMoment.start[k] = Double(rows[k])
            sineMoment.start[k] = Double(rows[stride + k])
            cosineSlopeMoment.start[k] = Double(rows[2 * stride + k])
            sineSlopeMoment.start[k] = Double(rows[3 * stride + k])
        }
    }

    /// Solves for the amplitudes and takes one step in the unknowns.
    ///
    /// - Parameters:
    ///   - energy: Σ y² of the stretch whose moments were set.
    ///   - prior: makes B an unknown, starting from this; without it B stays where `gram` stands.
    ///   - decays: how many of γ and γ′ are unknown.
    ///   - weights: a tone of a longer stretch that tells how much each partial counts; by default this one does.
    ///   - least: how many times the average of an empty partial one must have to count.
    // Not inlined, so that a profile shows it by name.
    @inline(never) @_noLocks mutating func solve(
        energy: Double, prior: InharmonicityPrior?, decays: Int, weights: FittedTone? = nil,
        least: Double = HarmonicFit.leastPower
    ) -> HarmonicEstimate {
        var estimate = HarmonicEstimate()
        let (count, length) = (gram.partialCount, Double(gram.length))
        let explained = solveAmplitudes()
        let offset = cosineMoment.start[0]
        estimate.energy = max(0, energy - offset * offset / length)
        // The moments are sums of floats: below a millionth of the energy the difference is rounding.
        estimate.residual = max(estimate.energy * 1e-7, energy - explained)
        let unknowns = 1 | (prior == nil ? 0 : 1 << FitDirections.inharmonicity) | (1 << decays - 1) << 2
        let noise = estimate.residual / max(1, length - Double(2 * count + 1 + unknowns.nonzeroBitCount))
        if let weights {
            for k in 0...count { weight.start[k] = weights.weights[k] }
        } else {
            weigh(noise: noise, least: least)
        }
        setDirections(unknowns)
        directions.measureCurvature(of: unknowns, gram)
        leaveRest()
        var step = GaussNewtonStep()
        for p in 0..<4 where unknowns & 1 << p != 0 {
            let gradient = directions.gradient(p, evenRest: evenRest.start, oddRest: oddRest.start, partials: count)
            step.free(p, curvature: directions.curvature[p], of: unknowns, gradient: gradient)
        }
        step.solve(
            &estimate, fundamental: gram.fundamental, inharmonicity: gram.inharmonicity, noise: noise, prior: prior)
        let scatter = directions.scatter(
            FitDirections.fundamental, evenRest: evenRest.start, oddRest: oddRest.start, partials: count, gram)
        if scatter.number > 0 {
            let bound = FitDirections.chance(of: scatter.number) * estimate.constrainedVariance
            estimate.scatter = max(0, scatter.variance - bound)
        }
        estimate.tone = tone(noise: noise)
        return estimate
    }

    /// What the amplitudes and the rest say of each partial.
    @_noLocks private func tone(noise: Double) -> FittedTone {
        var tone = FittedTone(
            fundamental: gram.fundamental, inharmonicity: gram.inharmonicity, count: gram.partialCount,
            chance: 4 * noise / Double(gram.length))
        for k in 1...gram.partialCount {
            let (a, b, at) = (cosine.start[k], sine.start[k], k * HarmonicGram.stride + k)
            tone.set(k, power: a * a + b * b, weight: weight.start[k])
            let information = a * a * gram.sineSquare.start[at] + b * b * gram.cosineSquare.start[at]
            guard information > 0 else { continue }
            let gradient = b * oddRest.start[k] - a * evenRest.start[k]
            tone.setShift(k, gradient / information, variance: 1 / information)
        }
        return tone
    }

    @_noLocks private func setDirections(_ unknowns: Int) {
        let (a, b, m, count) = (cosine.start, sine.start, weight.start, gram.partialCount)
        directions.setFrequency(
            FitDirections.fundamental, derivative: gram.perFundamental.start, cosine: a, sine: b, weight: m,
            partials: count)
        if unknowns & 1 << FitDirections.inharmonicity != 0 {
            directions.setFrequency(
                FitDirections.inharmonicity, derivative: gram.perInharmonicity.start, cosine: a, sine: b, weight: m,
                partials: count)
        }
        for p in FitDirections.decay...FitDirections.decayByNumber where unknowns & 1 << p != 0 {
            directions.setDecay(
                p, byNumber: p == FitDirections.decayByNumber, cosine: a, sine: b, weight: m, partials: count)
        }
    }

    /// Takes the amplitudes off the moments that are weighted by time.
    @_noLocks private func leaveRest() {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        for k in 0...count {
            let even = dotProduct(gram.sineSlope.start + k * stride, cosine.start, count + 1)
            let odd = dotProduct(gram.cosineSlope.start + k * stride + 1, sine.start + 1, count)
            evenRest.start[k] = sineSlopeMoment.start[k] - even
            oddRest.start[k] = cosineSlopeMoment.start[k] - odd
        }
    }

    /// Leaves a and b; returns the energy they explain.
    @_noLocks private func solveAmplitudes() -> Double {
        let count = gram.partialCount
        let (a, b) = (cosine.start, sine.start)
        for k in 0...count { (a[k], b[k]) = (cosineMoment.start[k], sineMoment.start[k]) }
        b[0] = 0
        solveCosines(a)
        solveSines(b)
        return dotProduct(a, cosineMoment.start, count + 1) + dotProduct(b + 1, sineMoment.start + 1, count)
    }

    @_noLocks private func solveCosines(_ x: UnsafeMutablePointer<Double>) {
        solveFactored(gram.cosineFactor.start, size: gram.partialCount + 1, stride: HarmonicGram.stride, x)
    }

    @_noLocks private func solveSines(_ x: UnsafeMutablePointer<Double>) {
        solveFactored(
            gram.sineFactor.start + HarmonicGram.stride + 1, size: gram.partialCount, stride: HarmonicGram.stride, x + 1
        )
    }
}

private func makeRow() -> SampleBuffer<Double> { SampleBuffer(count: HarmonicGram.stride) }
