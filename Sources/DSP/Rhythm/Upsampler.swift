internal import CRealtime
internal import Realtime

/// Raises the sample rate of a stream by a whole factor, by band-limited interpolation.
///
/// Between the samples of a low rate a waveform moves too far to be compared step by step: 2 kHz at 8 kHz turn by a quarter
/// from one sample to the next.
/// - SeeAlso: Smith, "Digital Audio Resampling", CCRMA, Stanford, 2002.
internal struct Upsampler: Sendable {
    internal let factor: Int
    /// How far the output lags behind the input, in samples of the input.
    internal let delay: Int
    /// For each phase the weights of the newest `2 · delay` samples, oldest first.
    private let phases: [[Float]]
    private var history: [Float]

    internal init(factor: Int) {
        let reach = 24
        (self.factor, delay) = (factor, reach)
        let window = KaiserWindow(stopband: 80)
        phases = (0..<factor).map { phase in
            (0..<(2 * reach)).map { k in
                let distance = Double(k - reach + 1) - Double(phase) / Double(factor)
                let angle = .pi * distance
                let sinc = abs(angle) < 1e-9 ? 1 : rt_sin(angle) / angle
                return Float(sinc * window.height(at: distance / Double(reach + 1)))
            }
        }
        history = [Float](repeating: 0, count: 2 * reach)
    }

    /// Adds what an input sample gives to `output`.
    internal mutating func add(_ sample: Float, to output: inout [Float]) {
        guard factor > 1 else { return output.append(sample) }
        history.removeFirst()
        history.append(sample)
        for phase in phases {
            var sum: Float = 0
            for (weight, value) in zip(phase, history) { sum += weight * value }
            output.append(sum)
        }
    }
}
