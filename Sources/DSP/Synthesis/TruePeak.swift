/// The peak of the band-limited curve through the samples of a recording.
///
/// The curve is computed with the weights that play it, first at four places per sample: at the nearest of them it is at most
/// 1 - cos(π/8), 8 %, below its peak. Where it comes that close to the peak, sixteenths are tried, of which the nearest is at
/// most 0.5 %, 0.04 dB, below.
///
/// - SeeAlso: ITU-R BS.1770-5, Annex 2, which tries four places.
internal struct TruePeak {
    private let coarse: [FractionalDelay], fine: [FractionalDelay]

    internal init() {
        coarse = stride(from: -8, to: 8, by: 4).map { FractionalDelay(Double($0) / 16) }
        fine = stride(from: -8, through: 8, by: 1).map { FractionalDelay(Double($0) / 16) }
    }

    /// - Complexity: 256 multiplications per sample, and four times as many near the peak.
    internal func peak(of samples: [Float]) -> Float {
        let silence = [Float](repeating: 0, count: FractionalDelay.taps)
        let padded = silence + samples + silence
        var peak = samples.reduce(0) { max($0, abs($1)) }
        guard peak > 0 else { return 0 }
        padded.withUnsafeBufferPointer { padded in
            for first in 0...(samples.count + FractionalDelay.taps) {
                let eights = InlineArray<8, SIMD8<Float>> { group in
                    var eight = SIMD8<Float>()
                    for lane in 0..<8 { eight[lane] = padded[first + 8 * group + lane] }
                    return eight
                }
                let near = coarse.reduce(0) { max($0, abs(Self.value(eights, $1))) }
                if near < 0.92 * peak { continue }
                peak = fine.reduce(peak) { max($0, abs(Self.value(eights, $1))) }
            }
        }
        return peak
    }

    private static func value(_ samples: InlineArray<8, SIMD8<Float>>, _ delay: FractionalDelay) -> Float {
        var (even, odd) = (SIMD8<Float>(), SIMD8<Float>())
        for group in 0..<4 {
            even += samples[2 * group] * delay.weights[2 * group]
            odd += samples[2 * group + 1] * delay.weights[2 * group + 1]
        }
        return (even + odd).sum()
    }
}
