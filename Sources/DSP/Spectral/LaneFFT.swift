internal import CRealtime
internal import Realtime

/// Four complex Fourier transforms, one per vector lane, without any operation across lanes.
///
/// Stockham's self-sorting algorithm: every pass reads one buffer in order and writes the next in order, so there is no bit
/// reversal. A pass of radix r splits transforms of length l into r of length l / r:
///
///     y[q + s (r p + j)] = e^{-2πi pj/l} Σ_{t=0}^{r-1} x[q + s (p + t l/r)] e^{-2πi jt/r},   p < l/r, q < s
///
/// The radices are 5, 3 and 4 in this order, and 8 or 2 at the end, where all factors are 1.
/// - SeeAlso: Stockham, "High-speed convolution and correlation", AFIPS 1966; Van Loan, "Computational Frameworks
///   for the Fast Fourier Transform", SIAM 1992, section 1.7.
struct LaneFFT: ~Copyable {
    /// The number of points of each of the four transforms.
    let count: Int

    private let passes: SampleBuffer<Pass>
    /// For each pass with factors, r - 1 of them per p as (real, imaginary) pairs.
    private let twiddles: SampleBuffer<Float>

    /// Prepares for `count` points, a product of powers of 2, 3 and 5.
    init(count: Int) {
        precondition(LaneFFT.supports(count), "the number of points is a product of powers of 2, 3 and 5")
        self.count = count
        var plan: [Pass] = []
        var factors: [Float] = []
        var (length, stride) = (count, 1)
        while length > 1 {
            let radix = LaneFFT.radix(of: length)
            plan.append(Pass(radix: radix, length: length, stride: stride, twiddles: factors.count))
            if radix < length || radix == 3 || radix == 5 {
                for p in 0..<(length / radix) {
                    for j in 1..<radix {
                        let angle = -2 * Double.pi * Double(p * j) / Double(length)
                        factors += [Float(rt_cos(angle)), Float(rt_sin(angle))]
                    }
                }
            }
            length /= radix
            stride *= radix
        }
        passes = SampleBuffer(copying: plan)
        twiddles = SampleBuffer(copying: factors)
    }

    /// Whether `count` is a product of powers of 2, 3 and 5.
    static func supports(_ count: Int) -> Bool {
        guard count > 0 else { return false }
        var rest = count
        for prime in [2, 3, 5] { while rest % prime == 0 { rest /= prime } }
        return rest == 1
    }

    /// The first radix for a length. 8 comes last, where it needs no factors.
    private static func radix(of length: Int) -> Int {
        if length == 8 { return 8 }
        if length.isMultiple(of: 5) { return 5 }
        if length.isMultiple(of: 3) { return 3 }
        if length.isMultiple(of: 4) { return 4 }
        return 2
    }

    /// Transforms `source`, which is only read, into `target`. Intermediate results alternate between `target` and `spare`.
    ///
    /// - Precondition: the three are different and hold `count` elements each.
    @_noLocks func transform(
        _ source: UnsafePointer<Complex4>, into target: UnsafeMutablePointer<Complex4>,
        by spare: UnsafeMutablePointer<Complex4>
    ) {
        guard let table = UnsafePointer(twiddles.unsafeElements.baseAddress) else { return }
        let plan = passes.unsafeElements
        var from = source
        for index in 0..<plan.count {
            let to = (plan.count - 1 - index) & 1 == 0 ? target : spare
            run(plan[index], from, to, table + plan[index].twiddles)
            from = UnsafePointer(to)
        }
    }
}

/// One pass over the data.
struct Pass: BitwiseCopyable {
    let radix: Int
    let length: Int
    let stride: Int
    /// Where its factors begin.
    let twiddles: Int

    @_noLocks init(radix: Int, length: Int, stride: Int, twiddles: Int) {
        (self.radix, self.length, self.stride, self.twiddles) = (radix, length, stride, twiddles)
    }
}

@_noLocks private func run(
    _ pass: Pass, _ x: UnsafePointer<Complex4>, _ y: UnsafeMutablePointer<Complex4>, _ w: UnsafePointer<Float>
) {
    let step = pass.stride * (pass.length / pass.radix)
    switch pass.radix {
    case 2: lastRadix2(x, y, pass.stride)
    case 3: radix3(x, y, w, stride: pass.stride, step: step)
    case 4 where pass.length == 4: lastRadix4(x, y, pass.stride)
    case 4: radix4(x, y, w, stride: pass.stride, step: step)
    case 5: radix5(x, y, w, stride: pass.stride, step: step)
    default: lastRadix8(x, y, pass.stride)
    }
}
