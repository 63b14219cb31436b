import Foundation
import Synthesis
import Testing

@Suite struct SampleRateConverterTests {
    /// The amplitude of the sine of `frequency` in the middle of `samples`, and what is left without it, both as rms.
    private func sine(_ samples: [Float], at frequency: Double, sampleRate: Double) -> (tone: Double, rest: Double) {
        // The ends, where the filter reaches beyond the recording, are left out.
        let edge = samples.count / 5
        let middle = samples[edge..<(samples.count - edge)]
        var (cc, ss, cs, xc, xs, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for (n, sample) in middle.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(n + edge) / sampleRate
            let (c, s, x) = (cos(angle), sin(angle), Double(sample))
            (cc, ss, cs) = (cc + c * c, ss + s * s, cs + c * s)
            (xc, xs, xx) = (xc + x * c, xs + x * s, xx + x * x)
        }
        let determinant = cc * ss - cs * cs
        let (a, b) = ((xc * ss - xs * cs) / determinant, (xs * cc - xc * cs) / determinant)
        let rest = max(0, xx - a * xc - b * xs)
        return ((a * a + b * b).squareRoot(), (rest / Double(middle.count)).squareRoot())
    }

    @Test(arguments: [
        (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (22_050, 48_000), (8_000, 192_000), (44_101, 48_000),
    ])
    func `A tone in the band keeps its height and gains nothing else`(from: Int, to: Int) {
        for share in [0.01, 0.2, 0.43] {
            let frequency = share * Double(min(from, to))
            let samples = (0..<(from / 16)).map { Float(0.8 * sin(2 * .pi * frequency * Double($0) / Double(from))) }
            let converted = SampleRateConverter(from: from, to: to).convert(samples)
            #expect(converted.count == (samples.count * to + from - 1) / from)
            let (tone, rest) = sine(converted, at: frequency, sampleRate: Double(to))
            // 0.01 dB, and what is not the tone 90 dB below it: single precision alone is 140 dB below.
            #expect(abs(tone / 0.8 - 1) < 0.001_2, "\(from) to \(to) at \(share): \(tone)")
            #expect(rest < 0.8 * 3e-5, "\(from) to \(to) at \(share): \(rest)")
        }
    }

    @Test func `What the new rate cannot hold is kept out`() {
        let samples = (0..<9_600).map { Float(0.8 * sin(2 * .pi * 30_000 * Double($0) / 96_000)) }
        let converted = SampleRateConverter(from: 96_000, to: 44_100).convert(samples)
        let peak = converted[500..<(converted.count - 500)].map(abs).max() ?? 1
        // 90 dB below the tone.
        #expect(peak < 0.8 * 3.2e-5, "\(peak)")
    }

    @Test func `The same rate changes nothing, an empty recording stays empty`() {
        #expect(SampleRateConverter(from: 48_000, to: 48_000).convert([1, 2, 3]) == [1, 2, 3])
        #expect(SampleRateConverter(from: 48_000, to: 44_100).convert([]).isEmpty)
    }
}
