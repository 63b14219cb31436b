import Foundation
import Music
import TestSignals
import Testing
import Transcription

@Suite struct NoteEventTests {
    private let rate = 48_000.0

    @Test func `Each note begins within 80 ms and ends once`() throws {
        let sound = Melody(rate: rate)
        for beat in 0..<8 { sound.pluck(55 + 2 * Double(beat), at: 0.5 + 0.3 * Double(beat), for: 0.28) }
        let events = try noteEvents(sound.samples, block: 512)
        for number in 0..<8 {
            let reports = events.filter { $0.note.number == number }
            let first = try #require(reports.first)
            #expect(first.kind == .began && reports.last?.kind == .ended)
            #expect((Double(first.toldAt) - first.note.start) / rate < 0.08)
            #expect(reports.filter { $0.kind == .ended }.count == 1)
            for report in reports where report.kind == .corrected {
                #expect((Double(report.toldAt) - report.note.start) / rate <= 0.2)
            }
        }
    }

    /// Of a recording that was cut out of the middle of a note.
    @Test(arguments: [36.0, 48, 57, 69]) func `What sounds from the first sample on begins with it`(key: Double) throws
    {
        for edge in [0.0005, 0.005, 0.02, 0.05] {
            let sound = Melody(rate: rate)
            sound.tone(at: -edge, for: 1, edge: edge) { _ in key }
            sound.pluck(key + 4, at: 1.3, for: 0.3)
            let events = try noteEvents(sound.samples, block: 512)
            #expect(!events.isEmpty && events.allSatisfy { $0.note.start >= 0 && $0.note.end >= $0.note.start })
        }
    }

    /// What the note is, is decided 54 ms after its onset at the soonest. Smaller leaps up are not told apart before that.
    @Test(arguments: [0.06, 0.1, 0.14], [(62.0, 69.0), (64, 57), (55, 71)])
    func `A note with a slow attack is shown before it is decided on`(attack: Double, keys: (Double, Double)) throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 0.6, edge: attack) { _ in keys.0 }
        sound.tone(at: 1.1, for: 0.6, edge: attack) { _ in keys.1 }
        let events = try noteEvents(sound.samples, block: 512)
        for (start, key) in [(0.5, keys.0), (1.1, keys.1)] {
            let ended = events.filter { $0.kind == .ended && abs($0.note.start / rate - start) < 0.1 }
            let note = try #require(ended.first { Double($0.note.note.midi) == key })
            let first = try #require(events.first { $0.note.number == note.note.number })
            let passed = (Double(first.toldAt) - first.note.start) / rate
            #expect(passed < 0.054, "\(key): \(passed)")
        }
    }

    /// The limit is that of `notes`, from the beginning of the tone.
    @Test(arguments: [0.06, 0.1, 0.14], [(60.0, 63.0), (60, 65), (62, 69), (64, 57), (55, 71)])
    func `A note with a slow attack is shown within 80 ms of its beginning`(
        attack: Double, keys: (Double, Double)
    ) throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 0.6, edge: attack) { _ in keys.0 }
        sound.tone(at: 1.1, for: 0.6, edge: attack) { _ in keys.1 }
        let events = try noteEvents(sound.samples, block: 512)
        for (start, key) in [(0.5, keys.0), (1.1, keys.1)] {
            let note = try #require(
                events.first {
                    $0.kind == .ended && abs($0.note.start / rate - start) < 0.1 && Double($0.note.note.midi) == key
                })
            let first = try #require(events.first { $0.note.number == note.note.number })
            #expect(Double(first.toldAt) / rate - start < 0.08, "\(key)")
        }
    }

    @Test func `Each note that is shown ends once or is withdrawn once, and nothing is told of it after that`() throws {
        let sound = Melody(rate: rate)
        for (index, key) in [60.0, 60, 72, 65, 64, 53, 65, 77, 58].enumerated() {
            let wide = index % 2 == 0 ? 0.3 : 2
            sound.tone(at: 0.5 + 0.35 * Double(index), for: 0.45, edge: 0.08) { time in
                key + wide * sin(2 * .pi * 6 * time)
            }
        }
        let events = try noteEvents(sound.samples, block: 512)
        let numbers = Set(events.map { $0.note.number })
        #expect(numbers == Set(0..<numbers.count))
        for number in numbers {
            let kinds = events.filter { $0.note.number == number }.map(\.kind)
            #expect(kinds.first == .began && kinds.filter { $0 == .began }.count == 1, "\(kinds)")
            #expect(kinds.filter { $0 == .ended || $0 == .withdrawn }.count == 1, "\(kinds)")
            #expect(kinds.last == .ended || kinds.last == .withdrawn, "\(kinds)")
        }
    }

    @Test func `The note that ends is the one that was told last`() throws {
        var generator = SeededGenerator(seed: 33)
        for round in 0..<20 {
            let sound = Melody(rate: rate)
            // Out of tune by up to 45 cents: the new sound alone tells the key to a third of a semitone.
            for index in 0..<6 {
                let key =
                    Double(Int.random(in: 48...76, using: &generator))
                    + Double.random(in: -0.45...0.45, using: &generator)
                sound.pluck(key, at: 0.3 + 0.35 * Double(index), for: 0.33)
            }
            var told: [Int: Note] = [:]
            for event in try noteEvents(sound.samples, block: 1_024) {
                if event.kind == .ended {
                    #expect(told[event.note.number] == event.note.note, "round \(round): \(event)")
                } else {
                    told[event.note.number] = event.note.note
                }
            }
        }
    }
}
