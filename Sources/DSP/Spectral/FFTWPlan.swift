#if FFTW
    internal import CFFTW
    internal import Realtime
    internal import Synchronization

    /// FFTW's planner shares tables between plans and is not thread-safe; its `execute` functions are.
    private let planner = Mutex(())

    /// FFTW's plans for a real transform and its inverse over memory that does not move.
    ///
    /// - SeeAlso: Frigo & Johnson, "The Design and Implementation of FFTW3", Proc. IEEE 93(2), 2005.
    struct FFTWPlan: ~Copyable {
        private let forwardPlan: fftwf_plan
        private let inversePlan: fftwf_plan

        /// Plans both directions. Allocates.
        init(_ samples: UnsafeMutableBufferPointer<Float>, _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>)
            throws(SpectralError)
        {
            let size = samples.count
            guard let samples = samples.baseAddress, let bins = complexPointer(bins) else {
                throw .planningFailed(size: size)
            }
            var (forward, inverse): (fftwf_plan?, fftwf_plan?)
            // ESTIMATE rather than MEASURE: the same plan, and so the same rounding, in every run under any load.
            planner.withLock { _ in
                forward = fftwf_plan_dft_r2c_1d(Int32(size), samples, bins, FFTW_ESTIMATE)
                inverse = fftwf_plan_dft_c2r_1d(Int32(size), bins, samples, FFTW_ESTIMATE)
            }
            guard let forward, let inverse else { throw .planningFailed(size: size) }
            (forwardPlan, inversePlan) = (forward, inverse)
        }

        deinit {
            planner.withLock { _ in
                fftwf_destroy_plan(forwardPlan)
                fftwf_destroy_plan(inversePlan)
            }
        }

        @_noLocks func forward(
            _ samples: UnsafeMutableBufferPointer<Float>, _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>
        ) {
            guard let samples = samples.baseAddress, let bins = complexPointer(bins) else { return }
            rt_fftwf_execute_r2c(forwardPlan, samples, bins)
        }

        @_noLocks func inverse(
            _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>, _ samples: UnsafeMutableBufferPointer<Float>
        ) {
            guard let samples = samples.baseAddress, let bins = complexPointer(bins) else { return }
            rt_fftwf_execute_c2r(inversePlan, bins, samples)
        }
    }

    /// FFTW's complex type is a pair of floats, real part first (FFTW manual, section 4.1.1).
    @_noLocks private func complexPointer(
        _ bins: UnsafeMutableBufferPointer<SIMD2<Float>>
    ) -> UnsafeMutablePointer<fftwf_complex>? {
        guard let base = bins.baseAddress else { return nil }
        return UnsafeMutableRawPointer(base).assumingMemoryBound(to: fftwf_complex.self)
    }
#endif
