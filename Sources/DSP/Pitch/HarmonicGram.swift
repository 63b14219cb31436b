internal import CRealtime
internal import Realtime

/// The scalar products of a stiff string's partials with each other over N samples, in closed form.
///
///     ω_k = k w √(1 + B k²),   m = -(N-1)/2 … (N-1)/2
///
/// Time runs from the middle, so that cosines and sines are orthogonal and the normal equations fall into two halves.
/// Every product is a sum of cosines of θ = ω_i ± ω_j:
///
///     D0(θ) = Σ cos θm   = sin(Nθ/2) / sin(θ/2)
///     D1(θ) = Σ m sin θm = -D0′ = (D0 cos(θ/2) - N cos(Nθ/2)) / (2 sin(θ/2))
///     D2(θ) = Σ m² cos θm = -D0″ = D0 (N² - 1) / 4 - D1 cot(θ/2)
///
/// - Complexity: about 30 K² operations to fill and K³ / 3 to factorize, none per sample.
/// - SeeAlso: Fletcher, "Normal Vibration Frequencies of a Stiff Piano String", JASA 36(1), 1964, for ω_k; Nielsen et
///   al., "Fast fundamental frequency estimation", Signal Processing 135, 2017, for the structure.
struct HarmonicGram: ~Copyable {
    /// Values per matrix row: 73 entries, padding for whole vectors, and the factor's reciprocal pivot.
    static var stride: Int { @_noLocks get { PartialMoments.stride } }

    private(set) var fundamental = 0.0
    private(set) var inharmonicity = 0.0
    /// The number of partials K; entry 0 of every row is the offset.
    private(set) var partialCount = 0
    private(set) var length = 0

    /// ω_k and its derivatives by w and by B.
    let frequency = SampleBuffer<Double>(count: HarmonicGram.stride)
    let perFundamental = SampleBuffer<Double>(count: HarmonicGram.stride)
    let perInharmonicity = SampleBuffer<Double>(count: HarmonicGram.stride)
    /// The Cholesky factors of Σ cos cos (entries 0…K) and Σ sin sin (entries 1…K, from index 0 on).
    let cosineFactor = makeMatrix()
    let sineFactor = makeMatrix()
    /// Σ cos_i m sin_j, Σ sin_i m cos_j.
    let cosineSlope = makeMatrix()
    let sineSlope = makeMatrix()
    /// Σ m² sin_i sin_j, Σ m² cos_i cos_j.
    let sineSquare = makeMatrix()
    let cosineSquare = makeMatrix()

    private let halfSine = SampleBuffer<Double>(count: HarmonicGram.stride)
    private let halfCosine = SampleBuffer<Double>(count: HarmonicGram.stride)
    private let longSine = SampleBuffer<Double>(count: HarmonicGram.stride)
    private let longCosine = SampleBuffer<Double>(count: HarmonicGram.stride)

    init() {}

    /// Sets ω_k only. The products become invalid, and `length` is 0 until `build`.
    @_noLocks mutating func tune(fundamental w: Double, inharmonicity b: Double, partials count: Int) {
        precondition(count >= 1 && count <= PartialMoments.capacity)
        (fundamental, inharmonicity, partialCount, length) = (w, b, count, 0)
        let (omega, perW, perB) = (frequency.start, perFundamental.start, perInharmonicity.start)
        (omega[0], perW[0], perB[0]) = (0, 0, 0)
        for k in 1...count {
            let number = Double(k)
            let stretch = rt_sqrt(1 + b * number * number)
            omega[k] = number * w * stretch
            perW[k] = number * stretch
            perB[k] = w * number * number * number / (2 * stretch)
        }
    }

    /// Fills and factorizes everything for the tuned frequencies over `length` samples.
    @_noLocks mutating func build(length: Int) {
        self.length = length
        let (count, n) = (partialCount, Double(length))
        let omega = frequency.start
        for k in 0...count {
            halfSine.start[k] = rt_sin(0.5 * omega[k])
            halfCosine.start[k] = rt_cos(0.5 * omega[k])
            longSine.start[k] = rt_sin(0.5 * n * omega[k])
            longCosine.start[k] = rt_cos(0.5 * n * omega[k])
        }
        for k in (count + 1)..<min(count + 8, Self.stride) {
            // Padding of the vectors: an angle without a partial, to avoid a division by zero.
            (halfSine.start[k], halfCosine.start[k]) = (0.6, 0.8)
            (longSine.start[k], longCosine.start[k]) = (0.6, 0.8)
        }
        for i in 0...count { fillRow(i, n: n) }
        // A direction lost to rounding is disabled: below 1e-9 of a lone partial's N / 2.
        factorize(cosineFactor.start, size: count + 1, stride: Self.stride, least: 1e-9 * n)
        // Sines start at entry 1; moved to the corner, both factors are solved alike.
        factorize(sineFactor.start + Self.stride + 1, size: count, stride: Self.stride, least: 1e-9 * n)
    }

    /// Row `i` of all six matrices, four columns at a time.
    @_noLocks private func fillRow(_ i: Int, n: Double) {
        let (s, c) = (SIMD4<Double>(repeating: halfSine.start[i]), SIMD4<Double>(repeating: halfCosine.start[i]))
        let (ls, lc) = (SIMD4<Double>(repeating: longSine.start[i]), SIMD4<Double>(repeating: longCosine.start[i]))
        let row = i * Self.stride
        let (count, quarter) = (SIMD4<Double>(repeating: n), SIMD4<Double>(repeating: (n * n - 1) / 4))
        var j = 0
        while j <= partialCount {
            let (sj, cj) = (four(halfSine.start, j), four(halfCosine.start, j))
            let (lsj, lcj) = (four(longSine.start, j), four(longCosine.start, j))
            var plus = sums(s * cj + c * sj, c * cj - s * sj, ls * lcj + lc * lsj, lc * lcj - ls * lsj, count, quarter)
            var minus = sums(
                s * cj - c * sj, c * cj + s * sj, ls * lcj - lc * lsj, lc * lcj + ls * lsj, count, quarter)
            // θ = 0: the sums are N, 0 and Σ m².
            if i >= j && i < j + 4 { set(&minus, lane: i - j, n: n) }
            if i == 0 && j == 0 { set(&plus, lane: 0, n: n) }
            store((minus.d0 + plus.d0) * 0.5, cosineFactor.start, row + j)
            store((minus.d0 - plus.d0) * 0.5, sineFactor.start, row + j)
            store((plus.d1 - minus.d1) * 0.5, cosineSlope.start, row + j)
            store((plus.d1 + minus.d1) * 0.5, sineSlope.start, row + j)
            store((minus.d2 - plus.d2) * 0.5, sineSquare.start, row + j)
            store((minus.d2 + plus.d2) * 0.5, cosineSquare.start, row + j)
            j += 4
        }
    }
}

private typealias Sums = (d0: SIMD4<Double>, d1: SIMD4<Double>, d2: SIMD4<Double>)

@inline(__always) @_noLocks private func set(_ sums: inout Sums, lane: Int, n: Double) {
    sums.d0[lane] = n
    sums.d1[lane] = 0
    sums.d2[lane] = n * (n * n - 1) / 12
}

/// D0, D1 and D2 at four angles θ, from sine and cosine of θ/2 and of Nθ/2.
@inline(__always) @_noLocks private func sums(
    _ s: SIMD4<Double>, _ c: SIMD4<Double>, _ ls: SIMD4<Double>, _ lc: SIMD4<Double>, _ n: SIMD4<Double>,
    _ quarter: SIMD4<Double>
) -> Sums {
    let inverse = SIMD4<Double>(repeating: 1) / s
    let d0 = ls * inverse
    let d1 = (d0 * c - n * lc) * inverse * 0.5
    return (d0, d1, d0 * quarter - d1 * (c * inverse))
}

private func makeMatrix() -> SampleBuffer<Double> {
    SampleBuffer(count: HarmonicGram.stride * (PartialMoments.capacity + 2))
}
