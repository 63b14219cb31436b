internal import CRealtime
internal import Realtime

/// The derivative g of a fit's model by each unknown, with the amplitudes projected out.
///
///     g[m] = m Σ_k (even_k sin ω_k m + odd_k cos ω_k m)
///     H = gᵀg - gᵀZ (ZᵀZ)⁻¹ Zᵀg,   gradient = gᵀ r
///
/// Z are the cosines and sines that the amplitudes belong to, r is what they leave of the sound.
/// - Complexity: about 5 K² multiplications per unknown for H, 2 K for the gradient.
struct FitDirections: ~Copyable {
    /// The parameters that may be unknown, in the order of the rows of H.
    static var fundamental: Int { @_noLocks get { 0 } }
    static var inharmonicity: Int { @_noLocks get { 1 } }
    static var decay: Int { @_noLocks get { 2 } }
    static var decayByNumber: Int { @_noLocks get { 3 } }

    /// H of the unknowns measured last.
    private(set) var curvature = InlineArray<4, SIMD4<Double>>(repeating: .zero)

    /// One row per unknown: coefficients of m sin and m cos.
    private let even = makeRows()
    private let odd = makeRows()
    /// One row per unknown: L⁻¹ Zᵀg, where ZᵀZ = L Lᵀ. gᵀZ (ZᵀZ)⁻¹ Zᵀg is its square: half of the solution is enough.
    private let evenHalf = makeRows()
    private let oddHalf = makeRows()
    /// One row per unknown: the coefficients times the scalar products of m sin and m cos, so that gᵀg is one more.
    private let evenImage = makeRows()
    private let oddImage = makeRows()

    init() {}

    /// Sets the direction of a frequency: Σ ∂ω_k m (-a_k sin + b_k cos), each partial weighed.
    @_noLocks func setFrequency(
        _ unknown: Int, derivative: UnsafeMutablePointer<Double>, cosine: UnsafeMutablePointer<Double>,
        sine: UnsafeMutablePointer<Double>, weight: UnsafeMutablePointer<Double>, partials: Int
    ) {
        let (even, odd) = (row(even, unknown), row(odd, unknown))
        for k in 0...partials {
            even[k] = -cosine[k] * derivative[k] * weight[k]
            odd[k] = sine[k] * derivative[k] * weight[k]
        }
    }

    /// Sets the direction of the decay: -Σ m (a_k cos + b_k sin), each partial weighed and, `byNumber`, k times.
    ///
    /// The offset does not decay: its weight is zero.
    @_noLocks func setDecay(
        _ unknown: Int, byNumber: Bool, cosine: UnsafeMutablePointer<Double>, sine: UnsafeMutablePointer<Double>,
        weight: UnsafeMutablePointer<Double>, partials: Int
    ) {
        let (even, odd) = (row(even, unknown), row(odd, unknown))
        for k in 0...partials {
            let scale = byNumber ? weight[k] * Double(k) : weight[k]
            even[k] = -sine[k] * scale
            odd[k] = -cosine[k] * scale
        }
    }

    /// Measures H of the unknowns whose bits are set, all of whose directions are.
    @_noLocks mutating func measureCurvature(of unknowns: Int, _ gram: borrowing HarmonicGram) {
        for p in 0..<4 where unknowns & 1 << p != 0 {
            project(p, gram)
            for q in 0...p where unknowns & 1 << q != 0 {
                let value = product(p, q, partials: gram.partialCount)
                curvature[p][q] = value
                curvature[q][p] = value
            }
        }
    }

    /// gᵀ r, from Σ m r sin and Σ m r cos of every partial.
    @_noLocks func gradient(
        _ unknown: Int, evenRest: UnsafeMutablePointer<Double>, oddRest: UnsafeMutablePointer<Double>, partials: Int
    ) -> Double {
        dotProduct(row(even, unknown) + 1, evenRest + 1, partials)
            + dotProduct(row(odd, unknown) + 1, oddRest + 1, partials)
    }

    /// The variance of a step as the scatter of the partials' own scores tells it, and how many of them tell it; 0 where
    /// fewer than two matter.
    ///
    ///     s_k = g_kᵀ r - (w_k / Σw) Σ g_jᵀ r,   w_k = g_kᵀ g_k,   n = (Σw)² / Σw²,   variance = n / (n - 1) Σ s_k² / H²
    /// - SeeAlso: White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50(1), 1982.
    @_noLocks func scatter(
        _ unknown: Int, evenRest: UnsafeMutablePointer<Double>, oddRest: UnsafeMutablePointer<Double>, partials: Int,
        _ gram: borrowing HarmonicGram
    ) -> (variance: Double, number: Double) {
        let (even, odd, h) = (row(even, unknown), row(odd, unknown), curvature[unknown][unknown])
        var (total, all, square) = (0.0, 0.0, 0.0)
        for k in 1...partials {
            let at = k * HarmonicGram.stride + k
            let share = even[k] * even[k] * gram.sineSquare.start[at] + odd[k] * odd[k] * gram.cosineSquare.start[at]
            total += even[k] * evenRest[k] + odd[k] * oddRest[k]
            all += share
            square += share * share
        }
        guard h > 0, all > 0 else { return (0, 0) }
        let number = all * all / square
        // Below that one partial tells nearly all, and nothing else how far off it is.
        guard number > 1.2 else { return (0, 0) }
        var sum = 0.0
        for k in 1...partials {
            let at = k * HarmonicGram.stride + k
            let share = even[k] * even[k] * gram.sineSquare.start[at] + odd[k] * odd[k] * gram.cosineSquare.start[at]
            let score = even[k] * evenRest[k] + odd[k] * oddRest[k] - total * share / all
            sum += score * score
        }
        return (number / (number - 1) * sum / (h * h), number)
    }

    /// How many times what white noise adds to it a scatter of `number` values must come to before the rest counts: 2.5 of
    /// its standard errors more, which one case in a hundred exceeds.
    @_noLocks static func chance(of number: Double) -> Double { 1 + 2.5 * rt_sqrt(2 / max(number - 1, 0.2)) }

    @_noLocks private func project(_ unknown: Int, _ gram: borrowing HarmonicGram) {
        let (stride, count) = (HarmonicGram.stride, gram.partialCount)
        let (even, odd) = (row(even, unknown), row(odd, unknown))
        let (evenHalf, oddHalf) = (row(evenHalf, unknown), row(oddHalf, unknown))
        let (evenImage, oddImage) = (row(evenImage, unknown), row(oddImage, unknown))
        for i in 0...count {
            evenHalf[i] = dotProduct(gram.cosineSlope.start + i * stride + 1, even + 1, count)
            oddHalf[i] = i == 0 ? 0 : dotProduct(gram.sineSlope.start + i * stride + 1, odd + 1, count)
            evenImage[i] = dotProduct(gram.sineSquare.start + i * stride + 1, even + 1, count)
            oddImage[i] = dotProduct(gram.cosineSquare.start + i * stride + 1, odd + 1, count)
        }
        substitute(gram.cosineFactor.start, size: count + 1, stride: stride, evenHalf)
        substitute(gram.sineFactor.start + stride + 1, size: count, stride: stride, oddHalf + 1)
    }

    @_noLocks private func product(_ p: Int, _ q: Int, partials count: Int) -> Double {
        var sum = dotProduct(row(even, p) + 1, row(evenImage, q) + 1, count)
        sum += dotProduct(row(odd, p) + 1, row(oddImage, q) + 1, count)
        sum -= dotProduct(row(evenHalf, p), row(evenHalf, q), count + 1)
        sum -= dotProduct(row(oddHalf, p) + 1, row(oddHalf, q) + 1, count)
        return sum
    }

    @inline(__always) @_noLocks private func row(
        _ rows: borrowing SampleBuffer<Double>, _ unknown: Int
    ) -> UnsafeMutablePointer<Double> { rows.start + unknown * HarmonicGram.stride }
}

private func makeRows() -> SampleBuffer<Double> { SampleBuffer(count: 4 * HarmonicGram.stride) }
