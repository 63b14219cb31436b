import Foundation
import Intonation
import Music
import Pitch
import TestNotes
import TestSignals
import Testing
import TunerEngine

@Suite struct SoundWatchTests {
    private static let rate = 48_000.0

    /// Mains hum with the partials of a rectifier, at a level in decibels (root mean square), with hiss at -80 dB.
    private func hum(_ frequency: Double, level: Double, seconds: Double) -> [Float] {
        var generator = SeededGenerator(seed: 50)
        let tone = harmonicTone(
            frequency: frequency, sampleRate: Self.rate, count: Int(seconds * Self.rate), rms: pow(10, level / 20),
            slope: 0.7, partials: 9, using: &generator)
        let hiss = whiteNoise(count: tone.count, rms: 1e-4, using: &generator)
        return zip(tone, hiss).map { $0 + $1 }
    }

    /// A string that is plucked at a time and dies away within two seconds.
    private func pluck(_ frequency: Double, at start: Double, in samples: inout [Float], amplitude: Double = 0.1) {
        for i in 0..<Int(4 * Self.rate) {
            let (seconds, index) = (Double(i) / Self.rate, Int(start * Self.rate) + i)
            guard index < samples.count else { return }
            var sum = 0.0
            for k in 1...12 {
                let partial = Double(k)
                sum += sin(2 * .pi * frequency * partial * seconds) * exp(-seconds * (1.5 + 0.5 * partial)) / partial
            }
            samples[index] += Float(amplitude * sum * min(1, seconds / 0.002))
        }
    }

    /// What a tuner with a guitar makes of samples.
    private func heard(_ samples: [Float], strings: Bool = true) throws -> [TunedNote] {
        var finder = standardFinder
        if strings { finder.strings = try Instrument(named: "guitar").standard }
        var engine = try TunerEngine(sampleRate: Hertz(Self.rate))
        var watch = SoundWatch()
        var notes: [TunedNote] = []
        for start in stride(from: 0, to: samples.count, by: 4_096) {
            engine.process(Array(samples[start..<min(samples.count, start + 4_096)]).span)
            while let reading = engine.nextReading() {
                let clock = SampleClock(nominalRate: Hertz(Self.rate))
                notes.append(watch.judge(TunedNote(reading, clock: clock, finder: finder)))
            }
        }
        return notes
    }

    @Test(arguments: [50.0, 60], [-45.0, -55, -65])
    func `Mains hum is no string, before, between and after the strings`(frequency: Double, level: Double) throws {
        var samples = hum(frequency, level: level, seconds: 14)
        pluck(110, at: 2, in: &samples)
        pluck(196, at: 8, in: &samples)
        let notes = try heard(samples)
        // The strings are heard.
        for (label, start) in [("A2", 2.1), ("G3", 8.1)] {
            #expect(notes.contains { $0.pitch?.label == label && abs($0.time.inSeconds - start) < 0.2 }, "\(label)")
        }
        // Nothing else is, but for readings of the moment in which a string drowns in the hum.
        let others = notes.filter { note in
            guard let pitch = note.pitch else { return false }
            return abs(pitch.deviation.value) > 250
        }
        #expect(others.count <= 2, "\(others.map { ($0.time.inSeconds, $0.reading.frequency.value) })")
        let said = notes.filter { if case .hum = $0.condition { true } else { false } }
        #expect(said.count > 100, "hum is recognised: \(said.count) readings")
    }

    @Test func `A bass that plays the note of the mains is still heard`() throws {
        // B1 of a seven-string guitar tuned down to 60 Hz exactly, played and damped.
        var finder = standardFinder
        finder.strings = try StringTuningOfOne("B1").tuning
        var samples = hum(50, level: -75, seconds: 5)
        pluck(60, at: 1, in: &samples, amplitude: 0.05)
        var engine = try TunerEngine(sampleRate: Hertz(Self.rate))
        var watch = SoundWatch()
        var count = 0
        for start in stride(from: 0, to: samples.count, by: 4_096) {
            engine.process(Array(samples[start..<min(samples.count, start + 4_096)]).span)
            while let reading = engine.nextReading() {
                let note = TunedNote(reading, clock: SampleClock(nominalRate: Hertz(Self.rate)), finder: finder)
                if watch.judge(note).pitch?.label == "B1" { count += 1 }
            }
        }
        // Half a second of readings every 5.33 ms.
        #expect(count > 90, "\(count) readings of the string")
    }

    @Test func `Several strings at once are told as that, and a single one never`() throws {
        var chord = hum(50, level: -90, seconds: 4)
        for (place, frequency) in [82.41, 123.47, 164.81, 207.65, 246.94, 329.63].enumerated() {
            pluck(frequency, at: 1 + 0.02 * Double(place), in: &chord, amplitude: 0.08)
        }
        let several = try heard(chord).filter { $0.condition == .severalNotes }
        #expect(several.count > 60, "\(several.count) readings")
        #expect(several.first.map { $0.time < .seconds(1.8) } == true)
        // It stays a chord while it dies away: nothing is told as a string or as none.
        let after = several.first?.time ?? .zero
        let others = try heard(chord).filter { note in
            note.time > after && (note.pitch != nil || note.condition == .noString(isBelow: true))
        }
        #expect(others.isEmpty, "\(others.count) readings after the chord was recognised")
        for frequency in [82.41, 110, 146.83, 196, 246.94, 329.63] {
            var single = hum(50, level: -90, seconds: 4)
            pluck(frequency, at: 1, in: &single)
            let wrong = try heard(single).filter { $0.condition == .severalNotes }
            #expect(wrong.isEmpty, "\(frequency) Hz: \(wrong.count) readings")
        }
    }

    @Test func `A sound that is too quiet is told, and one that is clipped`() throws {
        // A whisper of noise at -62 dB over hiss at -80: no pitch.
        var generator = SeededGenerator(seed: 7)
        var samples = whiteNoise(count: Int(4 * Self.rate), rms: 1e-4, using: &generator)
        for i in Int(2 * Self.rate)..<Int(2.5 * Self.rate) { samples[i] *= 8 }
        let notes = try heard(samples)
        #expect(notes.contains { $0.condition == .tooQuiet && $0.time > .seconds(2.1) })
        #expect(!notes.contains { $0.condition == .tooQuiet && $0.time < .seconds(2) })
        var watch = SoundWatch()
        watch.clip(at: .seconds(1))
        let clipped = watch.judge(reading(at: 48_000, 440))
        #expect(clipped.condition == .clipping && clipped.pitch?.label == "A4")
        let later = watch.judge(reading(at: 48_000 * 4, 440))
        #expect(later.condition == nil)
    }

    @Test func `Clipping is three samples at full scale in a row`() {
        var detector = ClippingDetector()
        func isClipped(_ samples: [Float]) -> Bool { detector.process(samples.span) }
        let pair = isClipped([Float](repeating: 0.1, count: 10) + [1, 1] + [Float](repeating: 0.1, count: 10))
        // A run may begin in one block and end in the next.
        let begun = isClipped([0, -1, -1])
        let ended = isClipped([-1, 0])
        let peaks = isClipped([1, 0.9, 1, 0.9])
        #expect(!pair && !begun && ended && !peaks)
    }
}

/// A tuning of one string.
private struct StringTuningOfOne {
    let tuning: StringTuning
    init(_ note: String) throws { tuning = try StringTuning(name: "one", strings: note) }
}
