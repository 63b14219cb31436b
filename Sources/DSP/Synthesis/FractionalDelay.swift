internal import CRealtime
internal import Realtime

/// The 64 weights that delay a recording by a fraction of a sample: a sinc under a Kaiser window, centred on the instant.
///
/// No filter can delay half the sample rate by a fraction of a sample, so the band ends before it, for every click alike: flat
/// to 0.88 of half the rate, -1 dB at 0.92, -6 dB at 0.95. Measured over the whole band, a delayed click lies within
/// 3 · 10⁻⁴ samples of its instant, whatever the recording. A jump rings to both sides, as in every band-limited signal, so the
/// first samples lie before the instant.
///
/// - SeeAlso: Laakso, Välimäki, Karjalainen & Laine, "Splitting the Unit Delay", IEEE Signal Processing Magazine 13(1), 1996.
internal struct FractionalDelay: BitwiseCopyable, Sendable {
    /// Weights of 64 neighbouring samples, the oldest first; the output lies on the 33rd, delayed.
    internal var weights = InlineArray<8, SIMD8<Float>>(repeating: SIMD8<Float>())

    internal static var taps: Int { @_noLocks get { 64 } }
    /// How many samples the output begins before the input.
    internal static var lead: Int { @_noLocks get { 32 } }

    @_noLocks internal init() {}

    /// Where the band is 6 dB down, as a share of half the rate.
    private static var cutoff: Double { @_noLocks get { 0.95 } }

    /// - Parameter fraction: -1/2 to 1/2 sample.
    @_noLocks internal init(_ fraction: Double) {
        let window = KaiserWindow(stopband: 70)
        for i in 0..<64 {
            // Sample i lies 32 - i before the output; its weight is sinc at that distance less the delay.
            let distance = Double(32 - i) - fraction
            let angle = .pi * Self.cutoff * distance
            let sinc = angle > 1e-9 || angle < -1e-9 ? rt_sin(angle) / angle : 1
            weights[i >> 3][i & 7] = Float(Self.cutoff * sinc * window.height(at: distance / 32.5))
        }
    }
}
