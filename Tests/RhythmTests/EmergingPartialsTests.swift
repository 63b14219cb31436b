import Foundation
import Music
@_spi(Measurement) import Rhythm
import TestSignals
import Testing

/// Soft notes of a piano whose pedal is down.
@Suite struct EmergingPartialsTests {
    private let rate = 48_000.0

    /// A string of a piano: ten partials that fade the sooner the higher they are. Those of two strings may beat.
    private func add(
        _ sound: inout [Float], at seconds: Double, frequency: Double, amplitude: Double, beat: Double = 0
    ) {
        for n in Int(seconds * rate)..<sound.count {
            let t = Double(n) / rate - seconds
            var x = 0.0
            for partial in 1...10 {
                let k = Double(partial)
                let strings = beat > 0 ? 0.6 + 0.4 * cos(2 * .pi * k * beat * t) : 1
                x += strings * exp(-t * (0.4 + 0.3 * k)) * sin(2 * .pi * k * frequency * t + k * k) / k
            }
            sound[n] += Float(amplitude * (1 - exp(-t / 0.002)) * x)
        }
    }

    private func refined(_ samples: [Float], _ constants: OnsetConstants = OnsetConstants()) throws -> [Onset] {
        var detector = try OnsetDetector(sampleRate: rate.hertz, constants: constants)
        var heard: [Onset] = []
        for start in stride(from: 0, to: samples.count, by: 480) {
            detector.process(Array(samples[start..<min(samples.count, start + 480)]).span)
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset) } }
        }
        return heard
    }

    /// A chord of three low notes at 0.5 s.
    private func chord(seconds: Double, beat: Double, _ generator: inout SeededGenerator) -> [Float] {
        var sound = whiteNoise(count: Int(seconds * rate), rms: 1e-5, using: &generator)
        let root = Double.random(in: 80...130, using: &generator)
        for semitones in [0.0, 7, 16] {
            add(&sound, at: 0.5, frequency: root * pow(2, semitones / 12), amplitude: 0.2, beat: beat)
        }
        return sound
    }

    @Test func `A note 30 dB below a chord that rings is heard by its partials, and its error is known`() throws {
        var generator = SeededGenerator(seed: 71)
        var without = OnsetConstants()
        without.emerged = 0
        var (found, foundWithout, close, extra) = (0, 0, 0, 0)
        for _ in 0..<100 {
            var sound = chord(seconds: 2, beat: 0, &generator)
            let time = Double.random(in: 1.1...1.5, using: &generator)
            let frequency = Double.random(in: 300...900, using: &generator)
            add(&sound, at: time, frequency: frequency, amplitude: 0.2 * pow(10, -30 / 20))
            let heard = try refined(sound).filter { $0.frame > 0.6 * rate }
            let near = heard.filter { abs($0.frame / rate - time) < 0.05 }
            found += near.isEmpty ? 0 : 1
            extra += heard.count - min(1, near.count)
            if let onset = near.first, abs(onset.frame / rate - time) < 2 * (onset.uncertainty / .seconds(1)) {
                close += 1
            }
            foundWithout += try refined(sound, without).contains { abs($0.frame / rate - time) < 0.05 } ? 1 : 0
        }
        print(
            "notes 30 dB below a chord: \(found) of 100 found, \(foundWithout) without, \(close) within two errors, \(extra) others"
        )
        #expect(found >= 90 && extra <= 2)
        #expect(found >= foundWithout + 30)
        // Two standard errors hold 95 of 100; 88 is three deviations of that count below.
        #expect(close >= found * 88 / 100)
    }

    @Test func `Strings that ring and beat have no soft notes`() throws {
        var generator = SeededGenerator(seed: 72)
        var extra = 0
        for _ in 0..<100 {
            let beat = Double.random(in: 0.1...0.8, using: &generator)
            let sound = chord(seconds: 2.5, beat: beat, &generator)
            extra += try refined(sound).count { $0.frame > 0.6 * rate }
        }
        print("strings that beat: \(extra) notes of 100 chords that are none")
        #expect(extra <= 2)
    }

    @Test func `A stream that begins within a sound has no soft note there`() throws {
        var generator = SeededGenerator(seed: 73)
        for _ in 0..<100 {
            let noise = Double.random(in: 1e-4...0.1, using: &generator)
            var sound = whiteNoise(count: Int(0.6 * rate), rms: noise, using: &generator)
            let frequency = Double.random(in: 60...900, using: &generator)
            for n in 0..<sound.count { sound[n] += Float(0.1 * sin(2 * .pi * frequency * Double(n) / rate)) }
            #expect(try refined(sound).allSatisfy { $0.frame < 0.02 * rate })
        }
    }
}
