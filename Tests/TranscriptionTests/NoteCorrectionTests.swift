import Foundation
import Music
import Pitch
import TestSignals
import Testing

@testable import Rhythm
@_spi(Measurement) @testable import Transcription

/// What is told of a note stands 0.2 s after it begins.
@Suite struct NoteCorrectionTests {
    private let rate = 48_000.0

    @Test func `Nothing about a note is told anew, nor that it is none, later than 0.2 s after it begins`() throws {
        var generator = SeededGenerator(seed: 41)
        var (corrected, withdrawn) = (0, 0)
        for round in 0..<100 {
            let events = try noteEvents(sound(&generator).samples, block: 1_024)
            for number in Set(events.map(\.note.number)) {
                let reports = events.filter { $0.note.number == number }
                guard let last = reports.last else { continue }
                for (before, report) in zip(reports, reports.dropFirst()) {
                    let isOther = before.note.note != report.note.note || before.note.start != report.note.start
                    guard isOther || report.kind != .ended else { continue }
                    if report.kind == .withdrawn { withdrawn += 1 } else { corrected += 1 }
                    let seconds = (Double(report.toldAt) - last.note.start) / rate
                    #expect(seconds <= 0.2, "round \(round): \(before) \(report)")
                }
            }
        }
        // Else nothing was tried.
        #expect(corrected > 100 && withdrawn > 20, "\(corrected) \(withdrawn)")
    }

    /// Notes that are plucked, that swell, that glide by up to a fifth, and that sway by up to 1.5 semitones, with noises
    /// between them.
    private func sound(_ generator: inout SeededGenerator) -> Melody {
        let sound = Melody(rate: rate)
        var time = 0.3
        for _ in 0..<8 {
            let key = Double(Int.random(in: 33...84, using: &generator))
            let seconds = Double.random(in: 0.08...0.7, using: &generator)
            let edge = Double.random(in: 0.01...0.2, using: &generator)
            let glide = Double.random(in: -7...7, using: &generator) / seconds
            let swing = Double.random(in: 0.2...1.5, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: sound.pluck(key, at: time, for: seconds)
            case 1: sound.tone(at: time, for: seconds + edge, edge: edge) { _ in key }
            case 2: sound.tone(at: time, for: seconds, edge: 0.02) { key + glide * $0 }
            case 3: sound.tone(at: time, for: seconds, edge: 0.05) { key + swing * sin(2 * .pi * 6 * $0) }
            default: sound.noise(at: time, for: seconds, decay: edge, &generator)
            }
            time += seconds + Double.random(in: -0.05...0.15, using: &generator)
        }
        return sound
    }

    /// Seven semitones lie between the tones. None is told twice, though they stray by up to half a semitone after 0.2 s.
    @Test func `A tone that settles, drifts, wavers or is scooped into is one note`() throws {
        var generator = SeededGenerator(seed: 47)
        for _ in 0..<100 {
            let sound = Melody(rate: rate)
            var keys: [Int] = []
            for index in 0..<3 {
                let key = Int.random(in: 48...60, using: &generator) / 7 * 7 + 7 * index
                let (seconds, depth) = (1.0, Double.random(in: -0.35...0.35, using: &generator))
                let time = Double.random(in: 0.2...0.6, using: &generator)
                let course: (Double) -> Double =
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: { -0.35 + 0.55 * min(1, max(0, ($0 - time) / 0.08)) }
                    case 1: { depth * (2 * $0 / seconds - 1) }
                    case 2: { depth * sin(2 * .pi * 1.3 * $0) }
                    default: { min(0, $0 / time - 1) }
                    }
                sound.tone(at: 0.5 + 1.1 * Double(index), for: seconds) { Double(key) + course($0) }
                keys.append(key)
            }
            let notes = try endedNotes(sound.samples)
            #expect(notes.count == keys.count, "\(keys) \(notes)")
        }
    }

    /// Unvoiced speech and whistling breath: noise in bands of a third of an octave, alone and three at once.
    @Test func `Bands of noise out of silence are hardly ever notes`() throws {
        var generator = SeededGenerator(seed: 53)
        let sound = Melody(rate: rate)
        sound.noise(at: 0, for: 60, amplitude: 2e-4, decay: .infinity, &generator)
        for index in 0..<80 {
            let seconds = Double.random(in: 0.1...0.5, using: &generator)
            for _ in 0..<(index % 2 == 0 ? 1 : 3) {
                let band = Double.random(in: 400...3_000, using: &generator)
                sound.band(of: band, at: 0.6 + 0.7 * Double(index), for: seconds, &generator)
            }
        }
        // Three of 80 are. By the power near the harmonics alone, one band in three was.
        let notes = try endedNotes(sound.samples)
        #expect(notes.count <= 4, "\(notes)")
    }

    /// Claps, and noises that hiss for 0.1 to 0.6 s, in a quiet room: all of it is new, and none of it has a pitch.
    @Test func `Claps and hisses out of silence are no notes`() throws {
        var generator = SeededGenerator(seed: 43)
        let sound = Melody(rate: rate)
        sound.noise(at: 0, for: 60, amplitude: 2e-4, decay: .infinity, &generator)
        for index in 0..<98 {
            let isClap = index % 2 == 0
            let decay = isClap ? Double.random(in: 0.01...0.08, using: &generator) : .infinity
            let seconds = isClap ? 0.4 : Double.random(in: 0.1...0.6, using: &generator)
            sound.noise(at: 0.6 + 0.6 * Double(index), for: seconds, decay: decay, &generator)
        }
        let notes = try endedNotes(sound.samples)
        #expect(notes.isEmpty, "\(notes.map { ($0.start / rate, $0.end / rate, $0.note.midi) })")
    }

    /// What the new sound told, what all that sounds tells at last, its share of the power, by how much the level has grown,
    /// and the key that is told in the end.
    @Test(arguments: [
        (91.0, 72.0, 0.99, 0.0, 72), (91, 72, 0.9, 0, 91), (79, 67, 1, 0, 79), (41, 60, 0.77, 0, 60),
        (41, 60, 0.6, 0, 41),
        (35.3, 36, 0.9, 8, 36), (35.3, 36, 0.9, 0, 35), (64, 60, 1, 8, 64),
    ])
    func `A note that no reading tells is corrected for the last time by all that sounds`(
        told: Double, heard: Double, share: Double, growth: Double, expected: Int
    ) {
        var decider = NoteDecider(
            sampleRate: rate.hertz, hop: 256, reference: .standard, constants: SegmenterConstants())
        let start = 0.5
        var isTold = false
        for count in 1...188 {
            let frame = Int64(count * 256)
            let time = Double(frame) / rate
            if !isTold, time >= start {
                var onset = Onset()
                (onset.frame, onset.strength, onset.toldAt) = (start * rate, 2, frame)
                decider.hear(onset)
                isTold = true
            }
            if decider.ageToLookAt(when: frame) > 0 {
                var fresh = FreshPitch.Result()
                (fresh.key, fresh.newness, fresh.trust) = (told, 0.9, 1)
                decider.hear(fresh, when: frame)
            }
            let level = time < start ? -30 : -20 + (time < start + 0.12 ? 0 : growth)
            var reading = PitchReading(frame: frame, state: isTold ? .unvoiced : .voiced, level: Decibels(level))
            reading.frequency = Hertz(KeyScale.frequency(76))
            (reading.standardError, reading.window) = (Cents(2), 1_024)
            decider.hear(reading)
            if decider.isUnreadAtLast {
                var all = FreshPitch.Whole()
                (all.key, all.near, all.own) = (heard, share, 0.8)
                decider.hearAll(all)
            }
        }
        decider.finish()
        var keys: [Int] = []
        while let event = decider.nextEvent() { if event.kind == .ended { keys.append(event.note.note.midi) } }
        #expect(keys == [76, expected])
    }
}
