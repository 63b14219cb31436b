import Foundation
import Music
import Rhythm
import TestSignals
import Testing

/// Tones that vibrate, held and slurred. The true times are those of the generator.
@Suite struct MovingToneTests {
    private let rate = 48_000.0

    /// Six partials that fall by `slope` decibels an octave, in noise 60 dB below. The loudness vibrates with the pitch.
    private func tone(
        seconds: Double, depth: Double, speed: Double, decibels: Double, slope: Double,
        using generator: inout SeededGenerator, key: (Double) -> Double
    ) -> [Float] {
        var sound = whiteNoise(count: Int(seconds * rate), rms: 2e-4, using: &generator)
        let start = Double.random(in: 0...(2 * .pi), using: &generator)
        var phase = 0.0
        for n in sound.indices {
            let time = Double(n) / rate
            let turn = sin(2 * .pi * speed * time + start)
            phase += 2 * .pi * 440 * pow(2, (key(time) + depth * turn - 69) / 12) / rate
            let level = 0.2 * min(1, time / 0.1, (seconds - time) / 0.1) * pow(10, decibels * turn / 20)
            for partial in 1...6 {
                let fall = pow(10, -slope * log2(Double(partial)) / 20)
                sound[n] += Float(level * fall * sin(Double(partial) * phase))
            }
        }
        return sound
    }

    private func refined(_ samples: [Float]) throws -> [Onset] {
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        var heard: [Onset] = []
        for start in stride(from: 0, to: samples.count, by: 480) {
            detector.process(samples.span.extracting(start..<min(samples.count, start + 480)))
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset) } }
        }
        return heard
    }

    @Test func `A vibrato of up to a semitone to either side has at most one false note a minute`() throws {
        let seed: UInt64 = 211
        var generator = SeededGenerator(seed: seed)
        var others: [String] = []
        for _ in 0..<120 {
            let key = Double.random(in: 45...81, using: &generator)
            let depth = Double.random(in: 0.3...1, using: &generator)
            let speed = Double.random(in: 4...8, using: &generator)
            let decibels = Double.random(in: 0...2, using: &generator)
            let sound = tone(
                seconds: 3.3, depth: depth, speed: speed, decibels: decibels,
                slope: Double.random(in: 6...12, using: &generator), using: &generator
            ) { _ in key }
            #expect(sound.contains { abs($0) > 0.1 })
            let heard = try refined(sound).map { $0.frame / rate }.filter { (0.3...3.2).contains($0) }
            for time in heard { others.append("key \(key) ±\(depth) \(speed) Hz ±\(decibels) dB: \(time) s") }
        }
        print("vibrato, seed \(seed): \(others.count) false notes in 6 minutes")
        #expect(others.count <= 6, "\(others)")
    }

    @Test func `The time of a note that is slurred within a vibrato is known as well as is told`() throws {
        let seed: UInt64 = 223
        var generator = SeededGenerator(seed: seed)
        var (found, within) = (0, 0)
        var errors: [Double] = []
        for _ in 0..<150 {
            let key = Double(Int.random(in: 50...74, using: &generator))
            let step = Double(Int.random(in: 1...12, using: &generator)) * (Bool.random(using: &generator) ? 1 : -1)
            let second = Double.random(in: 0.7...1.2, using: &generator)
            let move = Double.random(in: 0.001...0.02, using: &generator)
            let sound = tone(
                seconds: 2, depth: Double.random(in: 0.2...0.8, using: &generator),
                speed: Double.random(in: 4...8, using: &generator), decibels: 0,
                slope: Double.random(in: 6...12, using: &generator), using: &generator
            ) { key + step * min(1, max(0, ($0 - second) / move)) }
            let close = try refined(sound).filter { abs($0.frame / rate - second) < 0.05 }
            guard let onset = close.min(by: { abs($0.frame / rate - second) < abs($1.frame / rate - second) }) else {
                continue
            }
            let error = onset.frame / rate - second
            found += 1
            errors.append(error)
            within += abs(error) <= 2 * (onset.uncertainty / .seconds(1)) ? 1 : 0
        }
        let bias = errors.sorted()[errors.count / 2]
        print("slurs, seed \(seed): \(found) of 150 found, \(within) within two uncertainties, bias \(1_000 * bias) ms")
        // Steps of one and two semitones are within the vibrato's own range.
        #expect(found >= 130)
        // 93 of 100, less two standard deviations of so many: 4 of 100.
        #expect(Double(within) >= 0.89 * Double(found))
        #expect(abs(bias) < 0.004)
    }
}
