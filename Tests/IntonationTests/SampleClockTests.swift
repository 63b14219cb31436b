import Foundation
import Intonation
import Music
import Pitch
import TestNotes
import TestSignals
import Testing
import TunerEngine

@Suite struct SampleClockTests {
    @Test func `A card that runs 100 ppm fast is read in true hertz, true cents and true seconds`() throws {
        // What such a card delivers of a tone at 441 Hz: 48,004.8 samples of every true second.
        let clock = SampleClock(nominalRate: 48.kilohertz, error: 100.ppm)
        let seconds = 3
        let count = Int(clock.trueRate.value) * seconds
        let samples = (0..<count).map { Float(0.3 * sin(2 * .pi * 441 * Double($0) / 48_004.8)) }
        var engine = try TunerEngine(sampleRate: clock.nominalRate)
        var take = Take(name: "tone", finder: standardFinder)
        var last: TunedNote?
        var start = 0
        while start < count {
            let end = min(count, start + 4_096)
            engine.process(samples.span.extracting(start..<end))
            while let reading = engine.nextReading() {
                let note = TunedNote(reading, clock: clock, finder: standardFinder)
                take.add(note)
                if note.pitch != nil { last = note }
                // Uncorrected it reads 0.173 cents flat.
                #expect(abs(note.reading.frequency.value - reading.frequency.value * 1.0001) < 1e-9)
                let measured = TunedNote(
                    reading, sampleRate: clock.nominalRate, trueRate: clock.trueRate, finder: standardFinder)
                // The ratio of the rates and the ppm differ by rounding.
                #expect(abs(measured.reading.frequency.value - note.reading.frequency.value) < 1e-9)
            }
            start = end
        }
        take.finish()
        let pitch = try #require(last?.pitch)
        // 0.01 cents, which is 0.0025 Hz: what the engine promises on a steady sine, and 17 times less than the correction.
        #expect(abs(pitch.deviation.value - 1_200 * log2(441.0 / 440)) < 0.01, "\(pitch.deviation)")
        #expect(abs(pitch.frequency.value - 441) < 0.0025, "\(pitch.frequency)")
        #expect(pitch.target == 440.hertz, "where the note belongs does not depend on the card")
        // The last reading ends within a hop of 5.33 ms of the end; at the nominal rate it would seem 0.3 ms later.
        let end = try #require(last)
        #expect(end.time == .seconds(Double(end.reading.frame) / 48_004.8))
        // What is derived from readings is not corrected again.
        let entry = try #require(take.entries.first)
        #expect(abs(entry.frequency.value - 441) < 0.0025 && entry.label == "A4")
        let a4 = try #require(take.bestA4)
        #expect(abs(a4.value - 441) < 0.0025)
        #expect(take.renamed(by: standardFinder).entries.map(\.frequency) == take.entries.map(\.frequency))
    }

    @Test func `A clock finds the frame of the time of a frame`() {
        let clock = SampleClock(nominalRate: 44_100.hertz, error: (-250).ppm)
        #expect(clock.trueRate.value == 44_100 * (1 - 250e-6))
        for frame in [0, 1, 44_100, 158_760_000] as [Int64] {
            // Rounding of the time can fall short of the frame by one.
            #expect((frame - 1...frame).contains(clock.frame(at: clock.time(ofFrame: frame))))
        }
        #expect(clock.time(ofFrame: 44_088) < .seconds(1) && clock.time(ofFrame: 44_089) > .seconds(1))
        #expect(SampleClock(nominalRate: 48.kilohertz).frame(at: .seconds(Int64.max)) == .max)
    }
}
