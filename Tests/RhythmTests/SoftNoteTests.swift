import Foundation
import Music
import Rhythm
import TestSignals
import Testing

/// Notes of a bass that lets its strings ring.
@Suite struct SoftNoteTests {
    private let rate = 48_000.0

    /// A string: partials that fall by 6 dB an octave, each decaying, after an attack of some milliseconds.
    private func add(
        _ sound: inout [Float], at seconds: Double, frequency: Double, amplitude: Double, attack: Double = 0.008,
        until end: Double = .infinity
    ) {
        for n in Int(seconds * rate)..<sound.count {
            let t = Double(n) / rate - seconds
            // The finger damps a string within some 20 ms.
            let damped = Double(n) / rate < end ? 1 : exp(-(Double(n) / rate - end) / 0.02)
            let envelope = amplitude * damped * (1 - exp(-t / attack))
            var x = 0.0
            for partial in 1...8 {
                let k = Double(partial)
                x += exp(-t * (0.4 + 0.4 * k)) * sin(2 * .pi * k * frequency * t) / (k * k)
            }
            sound[n] += Float(envelope * x)
        }
    }

    private func refined(_ samples: [Float]) throws -> [Double] {
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        var heard: [Double] = []
        for start in stride(from: 0, to: samples.count, by: 480) {
            detector.process(Array(samples[start..<min(samples.count, start + 480)]).span)
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset.frame / rate) } }
        }
        return heard
    }

    @Test func `A soft note under one that rings is heard, at its time within some milliseconds`() throws {
        var generator = SeededGenerator(seed: 43)
        var (found, close, extra) = (0, 0, 0)
        for _ in 0..<100 {
            var sound = whiteNoise(count: Int(2.2 * rate), rms: 1e-4, using: &generator)
            let low = Double.random(in: 41...80, using: &generator)
            let interval = [3, 4, 5, 7, 8, 9, 10].randomElement(using: &generator) ?? 5
            let second = Double.random(in: 1.1...1.4, using: &generator)
            // 4 to 10 dB softer, and its attack is slow.
            let soft = 0.4 * pow(10, Double.random(in: -10 ... -4, using: &generator) / 20)
            add(&sound, at: 0.5, frequency: low, amplitude: 0.4)
            add(&sound, at: second, frequency: low * pow(2, Double(interval) / 12), amplitude: soft)
            let heard = try refined(sound)
            let near = heard.filter { abs($0 - second) < 0.05 }
            found += near.isEmpty ? 0 : 1
            if let time = near.first, abs(time - second) < 0.015 { close += 1 }
            extra += heard.count - near.count - (heard.contains { abs($0 - 0.5) < 0.05 } ? 1 : 0)
        }
        print("soft notes under one that rings: \(found) of 100 found, \(close) within 15 ms, \(extra) others")
        // What the benchmark asks for of a bass guitar. Two strings have 16 partials, as many as the predictor holds: where two of
        // them beat slowly, it foretells too little of a few sounds.
        #expect(found >= 90 && close >= 80 && extra <= 6)
    }

    @Test func `A string that rings on, or is damped, is one note`() throws {
        var generator = SeededGenerator(seed: 44)
        var extra = 0
        for round in 0..<100 {
            var sound = whiteNoise(count: Int(2 * rate), rms: 1e-4, using: &generator)
            let frequency = Double.random(in: 41...160, using: &generator)
            let end = round % 2 == 0 ? .infinity : Double.random(in: 0.9...1.5, using: &generator)
            add(&sound, at: 0.5, frequency: frequency, amplitude: 0.4, until: end)
            extra += try refined(sound).count { $0 > 0.6 }
        }
        print("strings that ring on or are damped: \(extra) notes of 100 that are none")
        #expect(extra <= 1)
    }

    @Test func `Noise and hum have no soft notes`() throws {
        var generator = SeededGenerator(seed: 45)
        var count = 0
        for (rms, hum) in [(1e-3, 0.0), (0.02, 0), (1e-3, 0.02), (0.005, 0.1)] {
            var sound = whiteNoise(count: Int(30 * rate), rms: rms, using: &generator)
            for n in 0..<sound.count {
                let t = Double(n) / rate
                sound[n] += Float(hum * (sin(2 * .pi * 50 * t) + 0.3 * sin(2 * .pi * 150 * t)))
            }
            count += try refined(sound).count
        }
        // Two minutes; the benchmark asks for half a false note a minute.
        #expect(count <= 1)
    }
}
