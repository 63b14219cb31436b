internal import CRealtime
internal import Realtime

/// The Fourier transform of real samples without any library: what `RealFFT` runs on when the trait FFTW is off.
///
/// N real samples are read as N/2 complex ones, z[n] = x[2n] + i x[2n+1], transformed by Stockham's self-sorting
/// algorithm (no bit reversal, contiguous inner loops), and split by symmetry:
///
///     X[k] = (Z[k] + Z*[N/2-k]) / 2  -  i e^{-2πik/N} (Z[k] - Z*[N/2-k]) / 2
///
/// - SeeAlso: Stockham, "High-speed convolution and correlation", AFIPS 1966; Van Loan, "Computational Frameworks
///   for the Fast Fourier Transform", SIAM 1992, algorithm 1.7.2.
public struct SplitFFT: ~Copyable {
    private let half: Int
    /// e^{-2πik/N} for k = 0 … N/2: every twiddle of every stage is one of these.
    private let twiddles: SampleBuffer<SIMD2<Float>>
    private let work: SampleBuffer<SIMD2<Float>>
    private let spare: SampleBuffer<SIMD2<Float>>

    /// Prepares the tables for `size` real samples, a power of two of at least 4.
    public init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0, "the size is a power of two of at least 4")
        half = size / 2
        twiddles = SampleBuffer(count: size / 2 + 1, repeating: .zero)
        work = SampleBuffer(count: size / 2, repeating: .zero)
        spare = SampleBuffer(count: size / 2, repeating: .zero)
        for k in 0...(size / 2) {
            let angle = -2 * Double.pi * Double(k) / Double(size)
            twiddles.unsafeElements[k] = SIMD2(Float(rt_cos(angle)), Float(rt_sin(angle)))
        }
    }

    /// Writes the `size / 2 + 1` bins of `size` samples.
    @_noLocks public mutating func forward(
        _ samples: UnsafeMutableBufferPointer<Float>, into bins: UnsafeMutableBufferPointer<SIMD2<Float>>
    ) {
        precondition(samples.count == 2 * half && bins.count == half + 1)
        let packed = work.unsafeElements
        for n in 0..<half { packed[n] = SIMD2(samples[2 * n], samples[2 * n + 1]) }
        let z = transform(sign: 1)
        let w = twiddles.unsafeElements
        let first = z[0]
        bins[0] = SIMD2(first.x + first.y, 0)
        bins[half] = SIMD2(first.x - first.y, 0)
        for k in 1..<half {
            let (a, b) = (z[k], z[half - k])
            let even = SIMD2(a.x + b.x, a.y - b.y) * 0.5
            let odd = SIMD2(a.y + b.y, b.x - a.x) * 0.5
            bins[k] = even + multiply(odd, w[k])
        }
    }

    /// Writes `size` samples, `size` times the inverse transform of the bins.
    @_noLocks public mutating func inverse(
        _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>, into samples: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(samples.count == 2 * half && bins.count == half + 1)
        let packed = work.unsafeElements
        let w = twiddles.unsafeElements
        let (first, last) = (bins[0].x, bins[half].x)
        packed[0] = SIMD2(first + last, first - last)
        for k in 1..<half {
            let (a, b) = (bins[k], bins[half - k])
            let even = SIMD2(a.x + b.x, a.y - b.y)
            let odd = multiply(SIMD2(a.x - b.x, a.y + b.y), SIMD2(w[k].x, -w[k].y))
            packed[k] = even + SIMD2(-odd.y, odd.x)
        }
        let z = transform(sign: -1)
        for n in 0..<half {
            samples[2 * n] = z[n].x
            samples[2 * n + 1] = z[n].y
        }
    }

    /// Transforms `work` and returns where the result lies. `sign` is 1 for e^{-i…} and -1 for e^{+i…}.
    @_noLocks private mutating func transform(sign: Float) -> UnsafeMutableBufferPointer<SIMD2<Float>> {
        let w = twiddles.unsafeElements
        var from = work.unsafeElements
        var to = spare.unsafeElements
        var length = half
        var stride = 1
        while length >= 4 {
            let quarter = length / 4
            // e^{-2πip/length} is entry p · 2 half / length of the table for 2 half points.
            let step = 2 * half / length
            for p in 0..<quarter {
                let w1 = SIMD2(w[p * step].x, sign * w[p * step].y)
                let w2 = multiply(w1, w1)
                let w3 = multiply(w1, w2)
                for q in 0..<stride {
                    let a = from[q + stride * p]
                    let b = from[q + stride * (p + quarter)]
                    let c = from[q + stride * (p + 2 * quarter)]
                    let d = from[q + stride * (p + 3 * quarter)]
                    let (sum, difference) = (a + c, a - c)
                    let (otherSum, otherDifference) = (b + d, b - d)
                    // -i (b - d) forward, +i (b - d) backward.
                    let turned = SIMD2(sign * otherDifference.y, -sign * otherDifference.x)
                    let at = q + stride * 4 * p
                    to[at] = sum + otherSum
                    to[at + stride] = multiply(difference + turned, w1)
                    to[at + 2 * stride] = multiply(sum - otherSum, w2)
                    to[at + 3 * stride] = multiply(difference - turned, w3)
                }
            }
            swap(&from, &to)
            length = quarter
            stride *= 4
        }
        if length == 2 {
            for q in 0..<stride {
                let (a, b) = (from[q], from[q + stride])
                to[q] = a + b
                to[q + stride] = a - b
            }
            swap(&from, &to)
        }
        return from
    }
}

/// The product of two complex numbers held as (real, imaginary).
@inline(__always) @_noLocks private func multiply(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}
