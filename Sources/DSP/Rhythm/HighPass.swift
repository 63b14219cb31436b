internal import CRealtime

/// A Butterworth high-pass of second order at 120 Hz: hum and offset are no clicks.
///
/// - SeeAlso: Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", W3C Note, 2021.
internal struct HighPass: Sendable {
    private let b0: Double, b1: Double, a1: Double, a2: Double
    private var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)

    internal init(sampleRate: Int) {
        let w = 2 * Double.pi * 120 / Double(sampleRate)
        let (cosine, alpha) = (rt_cos(w), rt_sin(w) * 0.707_106_781_186_547_6)
        b0 = (1 + cosine) / 2 / (1 + alpha)
        b1 = -2 * b0
        (a1, a2) = (-2 * cosine / (1 + alpha), (1 - alpha) / (1 + alpha))
    }

    internal mutating func next(_ sample: Float) -> Float {
        let x = Double(sample)
        let y = b0 * (x + x2) + b1 * x1 - a1 * y1 - a2 * y2
        (x2, x1, y2, y1) = (x1, x, y1, y)
        return Float(y)
    }
}
