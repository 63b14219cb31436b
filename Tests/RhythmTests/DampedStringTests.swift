import Foundation
import Music
import Rhythm
import Testing
import TestSignals

/// A plucked string: a period of noise that goes round, averaged with what was one sample before.
///
/// - SeeAlso: Karplus & Strong, "Digital Synthesis of Plucked-String and Drum Timbres", Computer Music Journal 7(2), 1983.
private func pluckedString(
    period: Int, count: Int, decay: Float, using generator: inout SeededGenerator
) -> [Float] {
    var samples = (0..<period).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    samples.reserveCapacity(count)
    for n in period..<max(period + 1, count) {
        samples.append(decay * (samples[n - period] + samples[max(0, n - period - 1)]) / 2)
    }
    return samples
}

@Suite struct DampedStringTests {
    /// A finger damps the string within 5 ms and plucks it again. The damping itself is not foretold.
    @Test func `A string that is damped right before it is plucked again is timed by the pluck`() throws {
        let seed: UInt64 = 19
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let (rate, spacing, damping) = (48_000.0, 14_400, 240)
        var sound = whiteNoise(count: 24_000, rms: 1e-3, using: &generator)
        var starts: [Int] = []
        for _ in 0..<120 {
            starts.append(sound.count)
            let loudness = Float.random(in: 0.4...1, using: &generator)
            let note = pluckedString(
                period: Int.random(in: 110...430, using: &generator), count: spacing,
                decay: Float.random(in: 0.994...0.999, using: &generator), using: &generator)
            for (n, sample) in note.enumerated() {
                let fade = min(1, Float(spacing - n) / Float(damping))
                sound.append(loudness * fade * sample + Float.random(in: -0.001...0.001, using: &generator))
            }
        }
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        detector.process(sound.span)
        var heard: [Double] = []
        while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset.frame) } }
        let errors = starts.dropFirst().map { start in
            (heard.map { abs($0 - Double(start)) }.min() ?? .infinity) / rate * 1_000
        }.sorted()
        print("errors: median \(errors[errors.count / 2]) ms, 95 of 100 within \(errors[errors.count * 95 / 100]) ms")
        // 1 ms is asked of percussive notes. The damping begins 5 ms before.
        #expect(errors[errors.count * 95 / 100] < 1)
        #expect(abs(heard.count - starts.count) <= 2, "\(heard.count) of \(starts.count)")
    }
}
