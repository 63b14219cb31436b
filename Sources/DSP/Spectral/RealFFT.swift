internal import Realtime

/// The discrete Fourier transform of real samples and its inverse, planned once and executed many times.
///
///     X[k] = Σ_{n=0}^{N-1} x[n] e^{-2πi kn/N},   k = 0 … N/2
///
/// Bin `k` lies at `k · sampleRate / size`. Both directions are unnormalised, so that one after the other multiplies by
/// `size`.
///
/// ```swift
/// var fft = try RealFFT(size: 1_024)
/// let samples = [Float](repeating: 0.5, count: fft.size)
/// var bins = [SIMD2<Float>](repeating: .zero, count: fft.binCount)
/// var span = bins.mutableSpan
/// fft.forward(samples.span, into: &span)
/// ```
///
/// With the package trait FFTW the transform is FFTW's; without it, it is the package's own.
/// - Complexity: O(N log N) per transform; nothing allocates after `init`.
public struct RealFFT: ~Copyable, @unchecked Sendable {
    /// The number of real samples, N.
    public let size: Int
    /// The number of complex bins, N/2 + 1.
    public var binCount: Int { @_noLocks get { bins.count } }

    private let time: SampleBuffer<Float>
    private let bins: SampleBuffer<SIMD2<Float>>
    private let method: Method

    internal enum Method: ~Copyable {
        #if FFTW
            case library(FFTWPlan)
        #endif
        case own(SplitFFT)
    }

    /// Plans both directions. Allocates: call it before the stream starts.
    ///
    /// - Parameter size: 4, or a multiple of 8 without a prime factor above 5, at most 2^24.
    public init(size: Int) throws(SpectralError) { try self.init(size: size, withLibrary: true) }

    /// The package's own transform, whatever the trait says.
    @_spi(Measurement) public init(withoutLibrary size: Int) throws(SpectralError) {
        try self.init(size: size, withLibrary: false)
    }

    /// - Parameter withLibrary: whether to use FFTW, if the package is built with it.
    private init(size: Int, withLibrary: Bool) throws(SpectralError) {
        guard SplitFFT.supports(size: size) else { throw .unsupportedSize(size) }
        let time = SampleBuffer<Float>(count: size)
        let bins = SampleBuffer<SIMD2<Float>>(count: size / 2 + 1, repeating: .zero)
        #if FFTW
            if withLibrary {
                method = .library(try FFTWPlan(time.unsafeElements, bins.unsafeElements))
            } else {
                method = .own(SplitFFT(size: size))
            }
        #else
            method = .own(SplitFFT(size: size))
        #endif
        self.size = size
        self.time = time
        self.bins = bins
    }

    /// Writes the spectrum of `samples`, zero frequency first, as pairs of a real and an imaginary part.
    ///
    /// - Precondition: `size` samples, room for `binCount` bins.
    @_noLocks public mutating func forward(
        _ samples: borrowing Span<Float>, into spectrum: inout MutableSpan<SIMD2<Float>>
    ) {
        precondition(samples.count == size && spectrum.count == binCount, "a transform takes `size` samples")
        for n in 0..<size { self.samples[n] = samples[n] }
        forward()
        for k in 0..<binCount { spectrum[k] = self.spectrum[k] }
    }

    /// Writes the samples of `spectrum`, multiplied by `size`. The imaginary parts of the first and the last bin count
    /// as zero.
    ///
    /// - Precondition: `binCount` bins, room for `size` samples.
    @_noLocks public mutating func inverse(
        _ spectrum: borrowing Span<SIMD2<Float>>, into samples: inout MutableSpan<Float>
    ) {
        precondition(samples.count == size && spectrum.count == binCount, "a transform takes `binCount` bins")
        for k in 0..<binCount { self.spectrum[k] = spectrum[k] }
        inverse()
        for n in 0..<size { samples[n] = self.samples[n] }
    }

    // MARK: Without copying, for the modules of this package

    /// The real side. `inverse()` overwrites it.
    package var samples: UnsafeMutableBufferPointer<Float> { @_noLocks get { time.unsafeElements } }

    /// The complex side. `inverse()` destroys it.
    package var spectrum: UnsafeMutableBufferPointer<SIMD2<Float>> { @_noLocks get { bins.unsafeElements } }

    /// Transforms `samples` into `spectrum`; `samples` stay as they are.
    @_noLocks package mutating func forward() {
        switch method {
        #if FFTW
            case .library(let plan): plan.forward(time.unsafeElements, bins.unsafeElements)
        #endif
        case .own(let fft): fft.forward(time.unsafeElements, bins.unsafeElements)
        }
    }

    /// Transforms `spectrum` back into `samples`.
    @_noLocks package mutating func inverse() {
        switch method {
        #if FFTW
            case .library(let plan): plan.inverse(bins.unsafeElements, time.unsafeElements)
        #endif
        case .own(let fft): fft.inverse(bins.unsafeElements, time.unsafeElements)
        }
    }

    /// `forward()` over the samples of the last call, for benchmarks.
    @_spi(Measurement) public mutating func forwardAgain() { forward() }

    /// `inverse()` over what the last call left, for benchmarks.
    @_spi(Measurement) public mutating func inverseAgain() { inverse() }
}
