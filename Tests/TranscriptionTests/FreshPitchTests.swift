import Foundation
import Music
import TestSignals
import Testing

@testable import Transcription

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
}
