internal import CRealtime
internal import Realtime

/// How a stretch of sound looks at each partial's frequency: its correlation with a cosine and a sine there, plain and
/// weighted by time.
///
///     Y_p[k] = Σ_m m^p y[m] e^{-i ω_k m},   m = -(N-1)/2 … (N-1)/2,   p = 0, 1, 2
///
/// The stretch is folded about its middle first: y[m] + y[-m] is multiplied by cosines only, y[m] - y[-m] by sines only,
/// which halves the work. Phases advance by a complex rotation per eight samples. A least-squares fit of amplitudes,
/// frequencies and decay needs nothing else from the samples.
struct PartialMoments: ~Copyable {
    /// The most partials; entry 0 is the offset (zero frequency).
    static var capacity: Int { @_noLocks get { 72 } }
    /// Entries of one row, a multiple of eight.
    static var stride: Int { @_noLocks get { 80 } }

    /// Real and imaginary parts of e^{i ω (j + start)}, j = 0 … 7, and of e^{8 i ω}, per entry.
    private let lanes: SampleBuffer<SIMD8<Float>>
    private let steps: SampleBuffer<SIMD2<Float>>
    /// The folded samples: sums and differences, times 1, m and m².
    let even: SampleBuffer<Float>
    let odd: SampleBuffer<Float>
    private var start = -1.0
    private var entries = 0

    /// Room for stretches of up to `longest` samples.
    init(longest: Int) {
        lanes = SampleBuffer(count: 2 * Self.stride, repeating: .zero)
        steps = SampleBuffer(count: Self.stride, repeating: .zero)
        even = SampleBuffer(count: 3 * (longest / 2 + 16))
        odd = SampleBuffer(count: 3 * (longest / 2 + 16))
    }

    /// Sets the frequencies, in radians per sample, for stretches of an even or odd number of samples.
    @_noLocks mutating func prepare(_ frequencies: UnsafeMutableBufferPointer<Double>, count: Int, oddLength: Bool) {
        entries = count
        start = oddLength ? 1 : 0.5
        for k in 0..<count {
            let w = frequencies[k]
            let (c, s) = (rt_cos(w), rt_sin(w))
            var (re, im) = oddLength ? (c, s) : (rt_cos(0.5 * w), rt_sin(0.5 * w))
            var (cosines, sines) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            for j in 0..<8 {
                cosines[j] = Float(re)
                sines[j] = Float(im)
                (re, im) = (re * c - im * s, re * s + im * c)
            }
            lanes.unsafeElements[2 * k] = cosines
            lanes.unsafeElements[2 * k + 1] = sines
            // e^{8iω} by squaring thrice.
            var (c8, s8) = (c, s)
            for _ in 0..<3 { (c8, s8) = (c8 * c8 - s8 * s8, 2 * c8 * s8) }
            steps.unsafeElements[k] = SIMD2(Float(c8), Float(s8))
        }
    }

    /// Measures only the first `count` frequencies from now on.
    @_noLocks mutating func limit(entries count: Int) { entries = min(entries, count) }

    /// Writes six rows of `stride` entries: Re Y0, -Im Y0, Re Y1, -Im Y1, Re Y2, -Im Y2, that is the plain sums with
    /// cosine and sine. Returns the energy of the stretch.
    ///
    /// - Precondition: the parity of the number of samples is that of the last `prepare`.
    @_noLocks mutating func measure(
        _ samples: UnsafeMutableBufferPointer<Float>, into rows: UnsafeMutablePointer<Float>, withSecond: Bool
    ) -> Double {
        let energy = fold(samples, withSecond: withSecond)
        let half = samples.count / 2
        let vectors = (half + 7) / 8
        guard let e = even.unsafeElements.baseAddress, let o = odd.unsafeElements.baseAddress else { return 0 }
        let width = vectors * 8
        let middle = samples.count % 2 == 1 ? samples[half] : 0
        for k in 0..<entries {
            var (c, s) = (lanes.unsafeElements[2 * k], lanes.unsafeElements[2 * k + 1])
            let step = steps.unsafeElements[k]
            var (c0, s0, c1, s1) = (SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero, SIMD8<Float>.zero)
            var (c2, s2) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
            for v in 0..<vectors {
                let at = 8 * v
                c0 += eight(e, at) * c
                s0 += eight(o, at) * s
                c1 += eight(o, width + at) * c
                s1 += eight(e, width + at) * s
                if withSecond {
                    c2 += eight(e, 2 * width + at) * c
                    s2 += eight(o, 2 * width + at) * s
                }
                let turned = c * step.x - s * step.y
                s = c * step.y + s * step.x
                c = turned
            }
            rows[k] = c0.sum() + middle
            rows[Self.stride + k] = s0.sum()
            rows[2 * Self.stride + k] = c1.sum()
            rows[3 * Self.stride + k] = s1.sum()
            rows[4 * Self.stride + k] = c2.sum()
            rows[5 * Self.stride + k] = s2.sum()
        }
        return energy
    }

    /// Leaves y[m] ± y[-m], and the same times m and m², for m > 0.
    @_noLocks private mutating func fold(
        _ samples: UnsafeMutableBufferPointer<Float>, withSecond: Bool
    ) -> Double {
        let half = samples.count / 2
        let width = (half + 7) / 8 * 8
        let (e, o) = (even.unsafeElements, odd.unsafeElements)
        let upper = samples.count - half
        var energy = samples.count % 2 == 1 ? samples[half] * samples[half] : 0
        var total = 0.0
        var m = Float(start)
        for j in 0..<half {
            let (after, before) = (samples[upper + j], samples[half - 1 - j])
            let (sum, difference) = (after + before, after - before)
            energy += after * after + before * before
            if j & 63 == 63 {
                total += Double(energy)
                energy = 0
            }
            e[j] = sum
            o[j] = difference
            e[width + j] = m * sum
            o[width + j] = m * difference
            if withSecond {
                e[2 * width + j] = m * m * sum
                o[2 * width + j] = m * m * difference
            }
            m += 1
        }
        for row in 0..<3 {
            for j in half..<width {
                e[row * width + j] = 0
                o[row * width + j] = 0
            }
        }
        return total + Double(energy)
    }
}
