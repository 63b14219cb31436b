internal import CRealtime
internal import Realtime
internal import Timebase

/// Converts a recording to another sample rate. Not for the audio thread.
///
/// Each output sample is the band-limited interpolation of the input at its instant: a sinc under a Kaiser window of 64
/// zero crossings to either side. Measured: passband to 0.45 of the lower rate within 0.001 dB, images and aliases below
/// -100 dB. Instants are exact fractions, so nothing drifts.
///
/// - SeeAlso: Smith, "Digital Audio Resampling", CCRMA, Stanford, 2002.
package struct SampleRateConverter: Sendable {
    private let from: Int, to: Int
    /// Zero crossings to either side.
    internal static let crossings = 64
    private let window = KaiserWindow(stopband: 100)

    /// A converter between two rates in frames per second, each 1 to 16,777,216.
    package init(from: Int, to: Int) {
        precondition((1...(1 << 24)).contains(from) && (1...(1 << 24)).contains(to), "a rate is 1 to 2^24")
        let divisor = Int(greatestCommonDivisor(UInt128(from), UInt128(to)))
        (self.from, self.to) = (from / divisor, to / divisor)
    }

    /// The number of samples after which a sample of both rates lies at the same instant, and a multiple of it at the new rate.
    internal var wholeStep: Int { from }
    internal func scaled(_ count: Int) -> Int { count * to / from }

    /// The recording at the new rate: round up of `count · to / from` samples, the first at the instant of the first.
    package func convert(_ samples: [Float]) -> [Float] {
        guard from != to, !samples.isEmpty else { return samples }
        // For a lower rate the filter also removes what that rate cannot represent; the band ends 4 % below half of it.
        let cutoff = min(1, Double(to) / Double(from)) * 0.96
        let reach = Int((Double(Self.crossings) / cutoff).rounded(.up))
        let count = (samples.count * to + from - 1) / from
        // The filters of all `to` fractions that occur, or of 1,024 even ones, between which a straight line is off by
        // (pi / 1,024)^2 / 8 at most: -118 dB. Weights of 24 bits add noise at -140 dB.
        let phaseCount = min(to, 1_024)
        let taps = (2 * reach + Self.lanes) / Self.lanes * Self.lanes
        let phases = (0...phaseCount).flatMap { phase in
            let weights = kernel(fraction: Double(phase) / Double(phaseCount), cutoff, reach)
            return weights + [Float](repeating: 0, count: taps - weights.count)
        }
        let silence = [Float](repeating: 0, count: taps)
        let padded = silence[..<reach] + samples + silence
        return (0..<count).map { n in
            let (whole, phase) = (n * from / to, n * from % to)
            if phaseCount == to { return Self.product(phases, phase * taps, padded, whole, count: taps) }
            let (low, rest) = (phase * phaseCount / to, phase * phaseCount % to)
            let first = Self.product(phases, low * taps, padded, whole, count: taps)
            let second = Self.product(phases, (low + 1) * taps, padded, whole, count: taps)
            return first + (second - first) * (Float(rest) / Float(to))
        }
    }

    /// `dotProduct` takes so many values at a time: zeros behind the weights fill the last of them.
    private static let lanes = 16

    /// Σ kernel[a + k] · values[b + k] over `count` values.
    private static func product(_ kernel: [Float], _ a: Int, _ values: [Float], _ b: Int, count: Int) -> Float {
        precondition(a >= 0 && b >= 0 && a + count <= kernel.count && b + count <= values.count)
        return kernel.withUnsafeBufferPointer { kernel in
            values.withUnsafeBufferPointer { values in
                guard let x = kernel.baseAddress, let y = values.baseAddress else { return 0 }
                return dotProduct(x + a, y + b, count)
            }
        }
    }

    /// The weights of the samples `-reach...reach` beside the instant.
    private func kernel(fraction: Double, _ cutoff: Double, _ reach: Int) -> [Float] {
        (-reach...reach).map { k in
            let distance = Double(k) - fraction
            let x = distance / (Double(reach) + 1)
            guard abs(x) < 1 else { return Float(0) }
            let angle = .pi * distance * cutoff
            let sinc = abs(angle) < 1e-9 ? 1 : rt_sin(angle) / angle
            return Float(cutoff * sinc * window.height(at: x))
        }
    }
}
