#if FFTW
    internal import CFFTW
    internal import Realtime
    internal import Synchronization

    /// FFTW's planner shares tables between plans and is not thread-safe; its `execute` family is.
    private let planner = Mutex(())
#endif

/// A discrete Fourier transform of real samples and its inverse, planned once and executed many times.
///
///     X[k] = Σ_{n=0}^{N-1} x[n] e^{-2πi kn/N},   k = 0 … N/2
///
/// Bin `k` lies at `k · sampleRate / size`. The transform owns both sides: write `samples`, call `forward()`, read
/// `spectrum`; or write `spectrum`, call `inverse()`, read `samples`. Both directions are unnormalised, so that
/// one after the other multiplies by `size`.
///
/// With the trait FFTW the arithmetic is FFTW's, without it `SplitFFT`, our own.
/// - Complexity: O(N log N) per transform; nothing allocates after `init`.
/// - SeeAlso: Frigo & Johnson, "The Design and Implementation of FFTW3", Proc. IEEE 93(2), 2005.
public struct RealFFT: ~Copyable, @unchecked Sendable {
    /// The number of real samples, N.
    public let size: Int
    /// The number of complex bins, N/2 + 1.
    public let binCount: Int

    #if FFTW
        private let time: SampleBuffer<Float>
        private let bins: SampleBuffer<SIMD2<Float>>
        private let forwardPlan: fftwf_plan
        private let inversePlan: fftwf_plan
    #else
        private var own: SplitFFT
    #endif

    /// Plans both directions. Allocates: call it before the stream starts.
    ///
    /// - Parameter size: 4, or a multiple of 8 without a prime factor beyond 5, at most 2^24.
    public init(size: Int) throws(SpectralError) {
        guard SplitFFT.supports(size: size) else { throw .unsupportedSize(size) }
        #if FFTW
            let time = SampleBuffer<Float>(count: size)
            let bins = SampleBuffer<SIMD2<Float>>(count: size / 2 + 1, repeating: .zero)
            var forwardPlan: fftwf_plan?
            var inversePlan: fftwf_plan?
            guard let samples = time.unsafeElements.baseAddress, let spectrum = complexPointer(bins.unsafeElements)
            else { throw .planningFailed(size: size) }
            // ESTIMATE and not MEASURE: the same plan, hence the same rounding, in every run on every machine load.
            planner.withLock { _ in
                forwardPlan = fftwf_plan_dft_r2c_1d(Int32(size), samples, spectrum, FFTW_ESTIMATE)
                inversePlan = fftwf_plan_dft_c2r_1d(Int32(size), spectrum, samples, FFTW_ESTIMATE)
            }
            guard let forwardPlan, let inversePlan else { throw .planningFailed(size: size) }
            (self.forwardPlan, self.inversePlan) = (forwardPlan, inversePlan)
            self.time = time
            self.bins = bins
        #else
            own = SplitFFT(size: size)
        #endif
        (self.size, self.binCount) = (size, size / 2 + 1)
    }

    #if FFTW
        deinit {
            planner.withLock { _ in
                fftwf_destroy_plan(forwardPlan)
                fftwf_destroy_plan(inversePlan)
            }
        }
    #endif

    /// The real side: `size` samples. `inverse()` overwrites it.
    public var samples: UnsafeMutableBufferPointer<Float> {
        @_noLocks get {
            #if FFTW
                time.unsafeElements
            #else
                own.samples
            #endif
        }
    }

    /// The complex side: `binCount` bins as (real, imaginary), zero frequency first. `inverse()` destroys it.
    public var spectrum: UnsafeMutableBufferPointer<SIMD2<Float>> {
        @_noLocks get {
            #if FFTW
                bins.unsafeElements
            #else
                own.spectrum
            #endif
        }
    }

    /// Transforms `samples` into `spectrum`; `samples` stay as they are.
    @_noLocks public mutating func forward() {
        #if FFTW
            guard let samples = time.unsafeElements.baseAddress, let spectrum = complexPointer(bins.unsafeElements)
            else { return }
            rt_fftwf_execute_r2c(forwardPlan, samples, spectrum)
        #else
            own.forward()
        #endif
    }

    /// Transforms `spectrum` back into `samples`, multiplied by `size`. The imaginary parts of the first and the
    /// last bin count as zero.
    @_noLocks public mutating func inverse() {
        #if FFTW
            guard let samples = time.unsafeElements.baseAddress, let spectrum = complexPointer(bins.unsafeElements)
            else { return }
            rt_fftwf_execute_c2r(inversePlan, spectrum, samples)
        #else
            own.inverse()
        #endif
    }
}

#if FFTW
    /// Pairs of floats as FFTW names them: real and imaginary part, side by side (FFTW manual, 4.1.1).
    @_noLocks private func complexPointer(
        _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>
    ) -> UnsafeMutablePointer<fftwf_complex>? {
        guard let base = bins.baseAddress else { return nil }
        return UnsafeMutableRawPointer(base).assumingMemoryBound(to: fftwf_complex.self)
    }
#endif
