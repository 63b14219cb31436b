internal import Realtime

/// How well a piece of sound matches itself after a lag, from -1 to 1.
///
///     n(τ) = 2 Σ x[j] x[j+τ] / Σ (x[j]² + x[j+τ]²),   j = 0 … N-1-τ
///
/// A periodic piece has n = 1 at its period and every multiple of it. n is 1 minus the squared difference divided by the
/// energy of the two overlapping parts. The sums of products come from one FFT and its inverse.
/// - SeeAlso: McLeod & Wyvill, "A Smarter Way to Find Pitch", ICMC 2005.
package struct NormalizedDifference: ~Copyable, Sendable {
    /// The most samples a piece may have.
    package let longestWindow: Int
    /// The longest lag that can be asked for.
    package let longestLag: Int

    /// Three sizes, so that a short piece does not need a long transform.
    private var large: RealFFT, middle: RealFFT, small: RealFFT
    private let result: SampleBuffer<Float>

    /// Prepares for pieces of up to `longestWindow` samples and lags of up to `longestLag`. Allocates.
    package init(longestWindow: Int, longestLag: Int) throws(SpectralError) {
        precondition(longestWindow > 1 && longestLag > 0 && longestLag < longestWindow, "lags lie inside the window")
        var size = 64
        while size < longestWindow + longestLag + 1 { size *= 2 }
        let large = try RealFFT(size: size)
        let middle = try RealFFT(size: size / 2)
        let small = try RealFFT(size: size / 4)
        self.large = large
        self.middle = middle
        self.small = small
        self.longestWindow = longestWindow
        self.longestLag = longestLag
        result = SampleBuffer(count: longestLag + 1)
    }

    /// The values of the last `measure`, one per lag from 0.
    package var values: UnsafeMutableBufferPointer<Float> { @_noLocks get { result.unsafeElements } }

    /// Measures `window` at the lags 0 … `lags`.
    ///
    /// - Parameters:
    ///   - window: at most `longestWindow` samples, best without an offset (the mean taken away).
    ///   - lags: at most `longestLag`, and less than the number of samples.
    /// - Complexity: O(N log N), no allocation.
    @_noLocks package mutating func measure(_ window: UnsafeMutableBufferPointer<Float>, lags: Int) {
        precondition(window.count <= longestWindow && lags <= longestLag && lags < window.count)
        // Linear correlation: with N + lags points the end does not wrap around into the beginning.
        let needed = window.count + lags + 1
        if needed <= small.size {
            correlate(window, lags: lags, by: &small, into: result.unsafeElements)
        } else if needed <= middle.size {
            correlate(window, lags: lags, by: &middle, into: result.unsafeElements)
        } else {
            correlate(window, lags: lags, by: &large, into: result.unsafeElements)
        }
        normalize(result.unsafeElements, of: window, lags: lags)
    }
}

/// Leaves Σ x[j] x[j+τ] in `out`.
@_noLocks private func correlate(
    _ window: UnsafeMutableBufferPointer<Float>, lags: Int, by fft: inout RealFFT,
    into out: UnsafeMutableBufferPointer<Float>
) {
    let samples = fft.samples
    for n in 0..<window.count { samples[n] = window[n] }
    for n in window.count..<fft.size { samples[n] = 0 }
    fft.forward()
    let spectrum = fft.spectrum
    for k in 0..<fft.binCount {
        let bin = spectrum[k]
        let power = bin * bin
        spectrum[k] = SIMD2(power.x + power.y, 0)
    }
    fft.inverse()
    let scale = 1 / Float(fft.size)
    for lag in 0...lags { out[lag] = samples[lag] * scale }
}

/// Divides the products by the mean energy of the two overlapping parts.
@_noLocks private func normalize(
    _ values: UnsafeMutableBufferPointer<Float>, of window: UnsafeMutableBufferPointer<Float>, lags: Int
) {
    var energy = 0.0
    for n in 0..<window.count { energy += Double(window[n]) * Double(window[n]) }
    // Silence is not periodic.
    let least = max(energy * 1e-9, 1e-30)
    var overlap = 2 * energy
    for lag in 0...lags {
        values[lag] = overlap > least ? Float(2 * Double(values[lag]) / overlap) : 0
        let (first, last) = (Double(window[lag]), Double(window[window.count - 1 - lag]))
        overlap -= first * first + last * last
    }
}
