internal import Realtime

/// One window under `NormalizedDifference`, ready to be measured again and again: for benchmarks.
@_spi(Measurement) public struct DifferenceMeasurement: ~Copyable {
    private var difference: NormalizedDifference
    private let window: SampleBuffer<Float>

    /// Prepares for a window. Allocates.
    public init(_ samples: [Float], longestLag: Int) throws(SpectralError) {
        difference = try NormalizedDifference(longestWindow: samples.count, longestLag: longestLag)
        window = SampleBuffer(copying: samples)
    }

    /// Measures all lags.
    @_noLocks public mutating func measure() { difference.measure(window.unsafeElements, lags: difference.longestLag) }
}
