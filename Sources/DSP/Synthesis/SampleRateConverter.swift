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
        // The filters of all `to` fractions that occur; beyond 1,024 they are computed one by one.
        let phases = to <= 1_024 ? (0..<to).map { kernel(fraction: Double($0) / Double(to), cutoff, reach) } : []
        let silence = [Double](repeating: 0, count: reach)
        let padded = silence + samples.map(Double.init) + silence
        return (0..<count).map { n in
            let (whole, phase) = (n * from / to, n * from % to)
            // A filter of its own for each sample takes a hundred times as long as its use: not for silence.
            if phases.isEmpty, !padded[whole...(whole + 2 * reach)].contains(where: { $0 != 0 }) { return 0 }
            let kernel = phases.isEmpty ? kernel(fraction: Double(phase) / Double(to), cutoff, reach) : phases[phase]
            return Float(Self.product(kernel, padded, from: whole))
        }
    }

    /// Σ kernel[k] · values[first + k], in four sums, which the processor adds at the same time.
    private static func product(_ kernel: [Double], _ values: [Double], from first: Int) -> Double {
        kernel.withUnsafeBufferPointer { kernel in
            values.withUnsafeBufferPointer { values in
                var sums = SIMD4<Double>()
                var k = 0
                while k + 4 <= kernel.count {
                    let weights = SIMD4(kernel[k], kernel[k + 1], kernel[k + 2], kernel[k + 3])
                    let i = first + k
                    sums += weights * SIMD4(values[i], values[i + 1], values[i + 2], values[i + 3])
                    k += 4
                }
                while k < kernel.count {
                    sums[0] += kernel[k] * values[first + k]
                    k += 1
                }
                return sums.sum()
            }
        }
    }

    /// The weights of the samples `-reach...reach` beside the instant.
    private func kernel(fraction: Double, _ cutoff: Double, _ reach: Int) -> [Double] {
        (-reach...reach).map { k in
            let distance = Double(k) - fraction
            let x = distance / (Double(reach) + 1)
            guard abs(x) < 1 else { return 0 }
            let angle = .pi * distance * cutoff
            let sinc = abs(angle) < 1e-9 ? 1 : rt_sin(angle) / angle
            return cutoff * sinc * window.height(at: x)
        }
    }
}
