import Foundation
import Music
import TestSignals
import Testing

@_spi(Measurement) @testable import Transcription

@Suite struct FreshPitchTests {
    @Test(arguments: [8_000.0, 11_025, 48_000, 96_000])
    func `The key that is found is the highest of all, though most are not summed to the end`(rate: Double) throws {
        var generator = SeededGenerator(seed: 7_301)
        var fresh = try FreshPitch(sampleRate: rate.hertz, longest: 0.06)
        var found = 0
        for _ in 0..<120 {
            // A tone that rings, a new one over it, and noise of -60 to -10 dB.
            let old = Double.random(in: 28...100, using: &generator)
            let new = Double.random(in: 28...100, using: &generator)
            let noise = pow(10, Double.random(in: -3 ... -0.5, using: &generator))
            var samples = (0..<2 * fresh.reach).map { n in
                let time = Double(n - fresh.reach) / rate
                var sum = noise * Double.random(in: -1...1, using: &generator)
                for (key, start) in [(old, -1.0), (new, 0.0)] where time >= start {
                    let first = 440 * pow(2, (key - 69) / 12)
                    for harmonic in 1...8 where first * Double(harmonic) < rate / 2 {
                        sum += 0.1 * sin(2 * .pi * first * Double(harmonic) * time) / Double(harmonic)
                    }
                }
                return Float(sum)
            }
            let result = samples.withUnsafeMutableBufferPointer { fresh.find($0, age: fresh.reach, after: -1) }
            let saliences = (0..<FreshPitch.keys).map { n in
                fresh.salience(440 * pow(2, (FreshPitch.key(n) - 69) / 12))
            }
            let best = saliences.max() ?? 0
            let likeliest = fresh.likeliest()
            // The sums are the same, but for the rounding of a frequency.
            #expect(abs(likeliest.salience - best) < 1e-6 * best)
            #expect(abs(fresh.salience(440 * pow(2, (likeliest.key - 69) / 12)) - best) < 1e-6 * best)
            if abs(result.key - new) < 0.5 { found += 1 }
        }
        // And it is the new tone, where noise or the old one does not hide it.
        #expect(found >= 90, "\(found) of 120")
    }

    /// Tones of eight harmonics, 20 dB above noise, and noise alone.
    @Test func `The pitch of all that sounds is that of the tone, which has more of the power than noise gives any`()
        throws
    {
        var generator = SeededGenerator(seed: 7_302)
        var fresh = try FreshPitch(sampleRate: 48.kilohertz, longest: 0.078)
        var (right, tonal, noisy) = (0, 0, 0)
        for _ in 0..<100 {
            // Below C2, 65 Hz, a Hann window of 78 ms does not part the harmonics.
            let key = Double.random(in: 36...90, using: &generator)
            let step = 2 * .pi * 440 * pow(2, (key - 69) / 12) / 48_000
            let noise = (0..<fresh.reach).map { _ in Double.random(in: -1...1, using: &generator) }
            var tone = noise.enumerated().map { n, sample in
                // The power of harmonics of 1/h is 0.76 of a sine's square, that of the noise a third.
                Float((1...8).reduce(0.12 * sample) { $0 + sin(Double($1) * step * Double(n)) / Double($1) })
            }
            let found = tone.withUnsafeMutableBufferPointer { fresh.findAll($0) }
            if abs(found.key - key) < 0.5 { right += 1 }
            if found.near > SegmenterConstants().tonal { tonal += 1 }
            var hiss = noise.map(Float.init)
            if hiss.withUnsafeMutableBufferPointer({ fresh.findAll($0) }).near > SegmenterConstants().tonal {
                noisy += 1
            }
        }
        #expect(right >= 97 && tonal == 100 && noisy == 0, "\(right) \(tonal) \(noisy)")
    }
}
