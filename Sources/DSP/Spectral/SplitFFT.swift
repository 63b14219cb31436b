internal import CRealtime
internal import Realtime

/// The Fourier transform of real samples without a library: what `RealFFT` runs when the trait FFTW is off.
///
/// N real samples, read four at a time, are four interleaved sequences of M = N/4 real samples, one per vector lane.
/// Each lane packs two neighbours into a complex number and transforms those M/2 with the other lanes (`LaneFFT`);
/// symmetry splits the result Z into the spectrum V of the lane, and a radix-4 step across the lanes joins them:
///
///     V[k] = (Z[k] + Z*[M/2-k]) / 2  -  i e^{-2πik/M} (Z[k] - Z*[M/2-k]) / 2
///     X[k + M t] = Σ_{j=0}^{3} e^{-2πi jt/4} e^{-2πi jk/N} V_j[k]
///
/// No lane is moved until the last step, the input is read where it lies, and nothing is reordered.
/// - SeeAlso: Franchetti & Püschel, "A SIMD Vectorizing Compiler for Digital Signal Processing Algorithms", IPDPS
///   2002, for the short-vector Cooley-Tukey step; Sorensen et al., "Real-Valued Fast Fourier Transform Algorithms",
///   IEEE Trans. ASSP 35(6), 1987, for the split.
struct SplitFFT: ~Copyable {
    /// The number of real samples, N.
    let size: Int

    private let joint: LaneJoint
    private let lanes: LaneFFT
    private let work: SampleBuffer<Complex4>, spare: SampleBuffer<Complex4>
    /// The roots of unity of a transform too short for vectors, else empty.
    private let roots: SampleBuffer<SIMD2<Float>>

    /// Whether there is a transform of `size` samples: 4, or a multiple of 8 without a prime factor above 5, at most
    /// 2^24.
    static func supports(size: Int) -> Bool {
        size == 4 || (size >= 8 && size <= 1 << 24 && size.isMultiple(of: 8) && LaneFFT.supports(size / 8))
    }

    /// Prepares the tables for `size` samples. Allocates.
    ///
    /// - Precondition: `SplitFFT.supports(size:)`.
    init(size: Int) {
        precondition(SplitFFT.supports(size: size), "4, or a multiple of 8 without a prime factor above 5")
        self.size = size
        let isShort = size < LaneJoint.shortest
        let count = isShort ? 1 : size / 8
        joint = LaneJoint(count: count)
        lanes = LaneFFT(count: count)
        // One more than there are points: Z[M/2], which is Z[0], has a place of its own.
        work = SampleBuffer(count: count + 1, repeating: Complex4(.zero, .zero))
        spare = SampleBuffer(count: count + 1, repeating: Complex4(.zero, .zero))
        roots = SampleBuffer(count: isShort ? size : 0, repeating: .zero)
        for k in roots.indices {
            let angle = -2 * Double.pi * Double(k) / Double(size)
            roots.unsafeElements[k] = SIMD2(Float(rt_cos(angle)), Float(rt_sin(angle)))
        }
    }

    /// Transforms `samples`, which stay as they are, into `spectrum`.
    @_noLocks func forward(
        _ samples: UnsafeMutableBufferPointer<Float>, _ spectrum: UnsafeMutableBufferPointer<SIMD2<Float>>
    ) {
        guard roots.count == 0 else { return forwardByDefinition(samples, spectrum) }
        guard let samples = samples.baseAddress, let bins = spectrum.baseAddress,
            let z = work.unsafeElements.baseAddress, let between = spare.unsafeElements.baseAddress
        else { return }
        // Eight samples are four real parts and four imaginary ones, so the lanes' packed numbers lie there already.
        let packed = UnsafeRawPointer(samples).assumingMemoryBound(to: Complex4.self)
        lanes.transform(packed, into: z, by: between)
        z[lanes.count] = z[0]
        let floats = UnsafeMutableRawPointer(bins).assumingMemoryBound(to: Float.self)
        joint.join(z, into: floats)
    }

    /// Transforms `spectrum` back into `samples`, multiplied by `size`.
    @_noLocks func inverse(
        _ spectrum: UnsafeMutableBufferPointer<SIMD2<Float>>, _ samples: UnsafeMutableBufferPointer<Float>
    ) {
        guard roots.count == 0 else { return inverseByDefinition(spectrum, samples) }
        guard let samples = samples.baseAddress, let bins = spectrum.baseAddress,
            let z = work.unsafeElements.baseAddress, let between = spare.unsafeElements.baseAddress
        else { return }
        bins[0].y = 0
        bins[size / 2].y = 0
        let floats = UnsafeRawPointer(bins).assumingMemoryBound(to: Float.self)
        joint.part(floats, into: z)
        // z is in reverse order, and the transform of a reversed sequence is the inverse transform.
        let packed = UnsafeMutableRawPointer(samples).assumingMemoryBound(to: Complex4.self)
        lanes.transform(z, into: packed, by: between)
    }

    /// For the sizes below 48: a few dozen products are faster than any factorisation.
    @_noLocks private func forwardByDefinition(
        _ x: UnsafeMutableBufferPointer<Float>, _ bin: UnsafeMutableBufferPointer<SIMD2<Float>>
    ) {
        let root = roots.unsafeElements
        for k in 0...(size / 2) {
            var sum = SIMD2<Float>.zero
            for n in 0..<size { sum += root[(n * k) % size] * x[n] }
            bin[k] = sum
        }
        // Real by definition; the root at -1 is off by 1e-16.
        bin[size / 2].y = 0
    }

    @_noLocks private func inverseByDefinition(
        _ bin: UnsafeMutableBufferPointer<SIMD2<Float>>, _ x: UnsafeMutableBufferPointer<Float>
    ) {
        let root = roots.unsafeElements
        for n in 0..<size {
            var sum = bin[0].x + (n % 2 == 0 ? bin[size / 2].x : -bin[size / 2].x)
            for k in 1..<(size / 2) {
                let product = root[(n * k) % size] * bin[k]
                sum += 2 * (product.x + product.y)
            }
            x[n] = sum
        }
    }
}
