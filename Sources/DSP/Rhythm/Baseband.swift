internal import CRealtime
internal import Realtime

/// A stretch of sound, moved down so that one of its partials stands still: its amplitude and phase at any place.
///
/// A Hann window takes them: what is farther away than two over its length is 31 dB down.
package struct Baseband: ~Copyable, Sendable {
    /// Samples of the window.
    package private(set) var length = 0
    private let hann: SampleBuffer<Float>
    private let real: SampleBuffer<Float>
    private let imaginary: SampleBuffer<Float>

    /// - Parameters:
    ///   - reach: samples of the stretch.
    ///   - longest: samples of the longest window.
    package init(reach: Int, longest: Int) {
        hann = SampleBuffer(count: longest)
        real = SampleBuffer(count: reach)
        imaginary = SampleBuffer(count: reach)
    }

    /// Takes amplitudes with a window of so many samples from now on, `longest` at most.
    @_noLocks package mutating func setWindow(_ samples: Int) {
        let samples = min(samples, hann.count)
        guard samples != length else { return }
        length = samples
        for n in 0..<length { hann.unsafeElements[n] = hannWeight(n, of: length) }
    }

    /// Moves some samples of a stretch down.
    ///
    /// - Parameters:
    ///   - samples: `reach`.
    ///   - range: those that are looked at.
    ///   - angle: the frequency that becomes 0, in radians a sample.
    @_noLocks package mutating func shift(
        _ samples: UnsafeMutableBufferPointer<Float>, _ range: Range<Int>, by angle: Double
    ) {
        let (stepX, stepY) = (rt_cos(angle), rt_sin(angle))
        var (x, y) = (1.0, 0.0)
        for n in range {
            real.unsafeElements[n] = samples[n] * Float(x)
            imaginary.unsafeElements[n] = samples[n] * Float(-y)
            (x, y) = (x * stepX - y * stepY, x * stepY + y * stepX)
        }
    }

    /// What stands still in the window that begins at a sample.
    @_noLocks package func value(at first: Int) -> (x: Double, y: Double) {
        guard let hann = UnsafePointer(hann.unsafeElements.baseAddress),
            let re = UnsafePointer(real.unsafeElements.baseAddress),
            let im = UnsafePointer(imaginary.unsafeElements.baseAddress)
        else { return (0, 0) }
        return (Double(dotProduct(re + first, hann, length)), Double(dotProduct(im + first, hann, length)))
    }
}
