internal import CRealtime

/// The 32 weights that delay a recording by a part of a sample: a sinc under a Blackman window, centred on the delay, so
/// that every frequency up to 0.4 of the rate is delayed alike.
///
/// - SeeAlso: Laakso, Välimäki, Karjalainen & Laine, "Splitting the Unit Delay", IEEE Signal Processing Magazine 13(1), 1996.
internal struct FractionalDelay: BitwiseCopyable, Sendable {
    /// Weights of 32 neighbouring samples, the oldest first; the output lies on the 17th, delayed.
    internal var weights = InlineArray<4, SIMD8<Float>>(repeating: SIMD8<Float>())

    internal static var taps: Int { @_noLocks get { 32 } }

    @_noLocks internal init() {}

    /// - Parameter fraction: 0 up to 1 sample.
    @_noLocks internal init(_ fraction: Double) {
        let sine = rt_sin(.pi * fraction)
        for i in 0..<32 {
            // Sample i lies 16 - i before the output; its weight is sinc at that distance less the delay.
            let distance = Double(16 - i) - fraction
            let x = distance / 17
            var sinc = 1.0
            if abs(distance) > 1e-9 {
                // sin(π(m - f)) = -(-1)^m sin(πf).
                let sign: Double = i & 1 == 0 ? -1 : 1
                sinc = sign * sine / (.pi * distance)
            }
            let c = rt_cos(.pi * x)
            let window = 0.42 + 0.5 * c + 0.08 * (2 * c * c - 1)
            weights[i >> 3][i & 7] = Float(sinc * window)
        }
    }
}
