import Foundation
import Intonation
import Music
import TestNotes
import TestSignals
import Testing

@Suite struct TakeTests {
    @Test func `Notes, their mean and spread, the drift and the best A4 are what was played`() throws {
        let take = driftingTake()
        #expect(take.entries.map(\.label) == ["C4", "D4", "E4", "F4", "G4"])
        let notes = take.notes
        #expect(notes.map(\.label) == ["C4", "D4", "E4", "F4", "G4"])
        // The middle of the second note lies at 12.2 s: 9.05 cents.
        #expect(abs(notes[1].mean.value - 9.05) < 0.1)
        // A sine of 2 cents has a standard deviation of 1.41, a drift of 1.9 cents over the note one of 0.55.
        #expect(abs(notes[1].spread.value - 1.52) < 0.05)
        let drift = try #require(take.drift)
        #expect(abs(drift.perMinute.value - 15) < 0.2 && drift.standardError.value < 0.5 && drift.isSignificant)
        // The mean of all is 11.3 cents: 440 · 2^(11.05/1200).
        #expect(abs(try #require(take.bestA4).value - 440 * exp2(11.05 / 1_200)) < 0.05)
    }

    @Test func `Notes that scatter and do not drift have none, and notes that do are told with their error`() throws {
        // 80 notes of 0.4 s, each 8 cents (standard deviation) off at random: 32 s of them make a line of ± 6 c a minute.
        var generator = SeededGenerator(seed: 20_261_121)
        var (seen, inside) = (0, 0)
        for _ in 0..<200 {
            var take = Take(name: "scatter", finder: standardFinder)
            let offsets = (0..<80).map { _ in
                (0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0..<1, using: &generator) } * 8
            }
            for i in 0..<3_200 {
                let note = i / 40
                let hertz = 440 * exp2((Double([60, 64, 67][note % 3]) - 69 + offsets[note] / 100) / 12)
                take.add(reading(at: Int64(i * 480), i % 40 < 4 ? nil : hertz))
            }
            take.finish()
            let drift = try #require(take.drift)
            if drift.isSignificant { seen += 1 }
            if abs(drift.perMinute.value) < drift.standardError.value { inside += 1 }
        }
        print("no drift: seen in \(seen) of 200 takes, \(inside) within one standard error")
        // 5 % and 68 % are to be expected; four standard deviations of 200 throws of a coin like that.
        #expect(seen <= 22 && (110...163).contains(inside))
    }

    @Test func `A held tone that sinks is one note that drifts`() throws {
        var take = Take(name: "held", finder: standardFinder)
        for i in 0..<7_200 {
            let seconds = Double(i) / 200
            take.add(reading(at: Int64(i * 240), 440 * exp2((-0.5 * seconds + 2 * sin(40 * seconds)) / 1_200)))
        }
        take.finish()
        let drift = try #require(take.drift)
        // Half a cent a second; the vibrato of 2 cents averages out over each second.
        #expect(take.entries.count == 1 && abs(drift.perMinute.value + 30) < 1 && drift.isSignificant)
    }

    @Test func `A wide vibrato is intonation of its note, and its turns are no notes`() throws {
        var take = Take(name: "vibrato", finder: standardFinder)
        for i in 0..<1_200 {
            let seconds = Double(i) / 200
            // A4, 8 cents sharp, which sways by 70 cents, and for two seconds C5, which does not.
            let isSwaying = i < 800
            let cents = isSwaying ? 8 + 70 * sin(2 * Double.pi * 5.25 * seconds) : 300
            take.add(reading(at: Int64(i * 240), 440 * exp2(cents / 1_200)))
        }
        take.finish()
        #expect(take.notes.count > 2, "the turns are read as other notes")
        let center = 440 * exp2(8.0 / 1_200)
        take.swayingNotes = [
            Take.SwayingNote(start: .zero, end: .seconds(4.1), frequency: center.hertz, depth: 70.cents)
        ]
        #expect(take.notes.map(\.label) == ["A4", "C5"])
        let note = try #require(take.notes.first)
        // 21 whole periods of a sine.
        #expect(abs(note.mean.value - 8) < 0.1 && abs(note.spread.value - 70 / 2.0.squareRoot()) < 0.1)
        #expect(abs((note.duration - .seconds(4)).inSeconds) < 0.02)
        #expect(abs(take.notes[1].mean.value) < 0.01)
    }

    @Test func `Less than thirty seconds have no drift, and a part of a recording keeps its times`() {
        var take = Take(name: "short", finder: standardFinder, start: .seconds(10))
        for i in 0..<7_800 { take.add(reading(at: Int64(i * 240), 440)) }
        take.finish()
        // 39 s were given, 29 s were taken.
        #expect(take.drift == nil && take.driftPerMinute == nil)
        #expect(take.entries.map(\.start) == [.seconds(10)])
        #expect(take.readings.count == 5_800)
    }

    @Test func `A take without a note has no statistics`() {
        var empty = Take(name: "silence.wav", finder: standardFinder)
        empty.add(reading(at: 48_000, nil))
        empty.finish()
        #expect(empty.bestA4 == nil && empty.drift == nil && empty.notes.isEmpty && empty.duration == .seconds(1))
    }

    @Test func `A take that is named by other rules keeps its frequencies and its length`() throws {
        let flat = driftingTake().renamed(by: NoteFinder(tuning: try Tuning(reference: ReferencePitch(a4: 415.hertz))))
        #expect(flat.entries.map(\.label) == ["C#4", "D#4", "F4", "F#4", "G#4"])
        #expect(flat.duration == driftingTake().duration)
        #expect(flat.entries.map(\.frequency) == driftingTake().entries.map(\.frequency))
    }
}
