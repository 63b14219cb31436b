import Foundation
import Music
import Rhythm
import TestSignals
import Testing

/// Notes of a bow or a breath that slurs them: no attack, no change of level, another pitch.
@Suite struct PitchChangeTests {
    private let rate = 48_000.0

    /// A tone of eight partials that fall by 6 dB an octave, whose key at each second is given, in noise 60 dB below. It swells and fades within 0.1 s.
    private func tone(
        seconds: Double, using generator: inout SeededGenerator, key: (Double) -> Double
    ) -> [Float] {
        var sound = whiteNoise(count: Int(seconds * rate), rms: 2e-4, using: &generator)
        var phase = 0.0
        for n in sound.indices {
            let time = Double(n) / rate
            phase += 2 * .pi * 440 * pow(2, (key(time) - 69) / 12) / rate
            let level = 0.2 * min(1, time / 0.1, max(0, (seconds - time) / 0.1))
            for partial in 1...8 { sound[n] += Float(level * sin(Double(partial) * phase) / Double(partial)) }
        }
        return sound
    }

    private func onsets(_ samples: [Float], block: Int = 480) throws -> [Onset] {
        var detector = try OnsetDetector(sampleRate: rate.hertz)
        var heard: [Onset] = []
        for start in stride(from: 0, to: samples.count, by: block) {
            detector.process(Array(samples[start..<min(samples.count, start + block)]).span)
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset) } }
        }
        return heard
    }

    /// One tone that moves to another key within some milliseconds, as fingers do on one bow.
    private func slur(
        from low: Double, to high: Double, at second: Double, within seconds: Double,
        using generator: inout SeededGenerator
    ) -> [Float] {
        tone(seconds: 2, using: &generator) { time in
            low + (high - low) * min(1, max(0, (time - second) / seconds))
        }
    }

    @Test func `A slurred note is told once, at its time`() throws {
        var generator = SeededGenerator(seed: 61)
        var (found, extra, latest) = (0, 0, 0.0)
        for _ in 0..<100 {
            let key = Double(Int.random(in: 55...84, using: &generator))
            let step = Double(Int.random(in: 1...9, using: &generator)) * (Bool.random(using: &generator) ? 1 : -1)
            let second = Double.random(in: 0.7...1.2, using: &generator)
            let move = Double.random(in: 0.005...0.04, using: &generator)
            let heard = try onsets(slur(from: key, to: key + step, at: second, within: move, using: &generator))
            let close = heard.filter { abs($0.frame / rate - second) < 0.05 }
            found += close.count
            for onset in close { latest = max(latest, Double(onset.toldAt) / rate - second) }
            extra += heard.count { abs($0.frame / rate - second) >= 0.05 && $0.frame / rate > 0.3 }
        }
        print("slurred notes: \(found) of 100 found, \(extra) others, told \(latest) s late")
        // What the benchmark asks for of sustained instruments.
        #expect((93...100).contains(found))
        #expect(extra <= 3)
        // `ListeningEngine` passes a point of the grid 0.3 s after it.
        #expect(latest < 0.3)
    }

    @Test func `A vibrato and a glide are no notes`() throws {
        var generator = SeededGenerator(seed: 67)
        var others: [String] = []
        for _ in 0..<100 {
            let key = Double.random(in: 52...88, using: &generator)
            // Up to half a semitone to either side, 4 to 8 a second; and up to an octave a second.
            let depth = Double.random(in: 0...0.5, using: &generator)
            let speed = Double.random(in: 4...8, using: &generator)
            let slope = Double.random(in: -12...12, using: &generator)
            let vibrato = tone(seconds: 2, using: &generator) { key + depth * sin(2 * .pi * speed * $0) }
            let glide = tone(seconds: 2, using: &generator) { key + slope * min(1, max(0, $0 - 0.7)) }
            for (name, sound) in [("vibrato of \(depth)", vibrato), ("glide of \(slope)", glide)] {
                let heard = try onsets(sound).map { $0.frame / rate }.filter { (0.3...1.85).contains($0) }
                if !heard.isEmpty { others.append("key \(key), \(name): \(heard)") }
            }
        }
        // Two vibratos move the low band's power as an attack does: half a note a minute.
        #expect(others.count <= 3, "\(others)")
    }

    @Test func `Two strings that ring are no notes, though now the one is louder and now the other`() throws {
        var generator = SeededGenerator(seed: 73)
        var others: [String] = []
        for _ in 0..<100 {
            let low = Double.random(in: 82...220, using: &generator)
            let interval = Double([3, 4, 5, 7, 8, 9].randomElement(using: &generator) ?? 5)
            // The louder fades by 20 to 60 dB a second, the softer by 3 to 10.
            let fast = Double.random(in: 20...60, using: &generator)
            let slow = Double.random(in: 3...10, using: &generator)
            var sound = whiteNoise(count: Int(2.5 * rate), rms: 1e-4, using: &generator)
            for n in Int(0.5 * rate)..<sound.count {
                let time = Double(n) / rate - 0.5
                let first = 0.2 * pow(10, -fast * time / 20), second = 0.1 * pow(10, -slow * time / 20)
                for k in 1...6 {
                    let partial = Double(k)
                    let phase = 2 * .pi * partial * low * time
                    sound[n] += Float(
                        (first * sin(phase) + second * sin(phase * pow(2, interval / 12))) / partial)
                }
            }
            let heard = try onsets(sound).map { $0.frame / rate }.filter { $0 > 0.6 }
            if !heard.isEmpty { others.append("\(low) Hz, \(interval), \(fast), \(slow) dB/s: \(heard)") }
        }
        #expect(others.count <= 2, "\(others)")
    }

    @Test func `The notes do not depend on the size of the blocks`() throws {
        var generator = SeededGenerator(seed: 71)
        let sound = slur(from: 67, to: 71, at: 0.9, within: 0.03, using: &generator)
        let frames = try onsets(sound).map(\.frame)
        #expect(frames.contains { abs($0 / rate - 0.9) < 0.05 })
        for block in [1, 97, 4_096] { #expect(try onsets(sound, block: block).map(\.frame) == frames) }
    }

    @Test func `Other sample rates hear the same note`() throws {
        for rate in [8_000.0, 11_025, 44_100, 96_000, 192_000] {
            var detector = try OnsetDetector(sampleRate: rate.hertz)
            var phase = 0.0
            let samples = (0..<Int(2 * rate)).map { n in
                let time = Double(n) / rate
                phase += 2 * .pi * (time < 1 ? 392 : 493.883) / rate
                return Float(0.2 * min(1, time / 0.1) * (sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 3))
            }
            detector.process(samples.span)
            var heard: [Double] = []
            while let onset = detector.nextOnset() { if onset.stage == .refined { heard.append(onset.frame / rate) } }
            #expect(heard.contains { abs($0 - 1) < 0.05 }, "\(rate) Hz: \(heard)")
        }
    }
}
