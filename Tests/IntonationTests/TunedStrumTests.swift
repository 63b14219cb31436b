import Foundation
import Intonation
import Music
import Pitch
import Strum
import TestNotes
import TestSignals
import Testing

@Suite struct TunedStrumTests {
    private func finder(_ instrument: String) throws -> NoteFinder {
        var finder = standardFinder
        finder.strings = try Instrument(named: instrument).standard
        return finder
    }

    /// A strum of strings that are so many cents off, without a sound; `nil` for one that is not heard.
    private func strum(
        _ cents: [Double?], _ finder: NoteFinder, at seconds: Double = 0, isStrum: Bool = true, isFinal: Bool = false
    ) -> TunedStrum {
        let strings = cents.enumerated().compactMap { position, cents in
            let note = finder.strings?.strings[position] ?? Note(midi: 0)
            let place = finder.tuning.target(for: note)?.frequency ?? 0.hertz
            return TunedString(
                position, at: place.raised(by: (cents ?? 40).cents), isHeard: cents != nil, standardError: 0.1.cents,
                inharmonicity: 0, level: (-20).decibels, finder: finder)
        }
        return TunedStrum(
            time: .seconds(seconds), window: .milliseconds(500), isStrum: isStrum, isFinal: isFinal, strings: strings)
    }

    @Test func `A string is in tune, flat, sharp or not heard`() throws {
        let strum = strum([0, -2.1, 2.1, nil, 1.9, 0], try finder("guitar"))
        #expect(strum.strings.map(\.verdict) == [.inTune, .flat, .sharp, nil, .inTune, .inTune])
        #expect(strum.strings.map(\.course) == [6, 5, 4, 3, 2, 1])
    }

    @Test func `Another A4 moves every deviation, and other strings have no such strum`() throws {
        var finder = try finder("guitar")
        let before = strum([0, 0, 0, nil, 0, 0], finder)
        finder.tuning = try Tuning(reference: ReferencePitch(a4: 442.hertz))
        let after = try #require(before.renamed(by: finder))
        // 1200 log2(440 / 442) = -7.851.
        for string in after.strings {
            #expect(abs(string.pitch.deviation.value - (string.isHeard ? -7.851 : 32.149)) < 1e-3)
        }
        #expect(after.strings.map(\.verdict) == [.flat, .flat, .flat, nil, .flat, .flat])
        finder.strings = try Instrument(named: "ukulele").standard
        #expect(before.renamed(by: finder) == nil)
        finder.strings = try Instrument(named: "guitar").tuning(named: "DADGAD")
        #expect(before.renamed(by: finder) == nil)
    }

    @Test func `Engines take the strings by pitch, and their pictures come back in the order of the tuning`() throws {
        let finder = try finder("ukulele")
        let strings = try StrummedStrings(finder)
        var engine = try strings.engine(sampleRate: 48.kilohertz)
        var generator = SeededGenerator(seed: 3)
        // G4, C4, E4, A4: the first string is not the lowest.
        let cents = [10.0, -20, 5, 0]
        let places = [391.995_4, 261.625_6, 329.627_6, 440].enumerated().map { $1 * exp2(cents[$0] / 1_200) }
        let sound = TestSignals.strum(places, at: 0.1, seconds: 1, using: &generator)
        var last: HeardStrum?
        for start in stride(from: 0, to: sound.count, by: 4_800) {
            engine.process(sound.span.extracting(start..<min(start + 4_800, sound.count)))
            while let picture = engine.refine() { last = HeardStrum(picture, of: engine, origin: 48_000) }
        }
        let heard = try #require(last)
        // A card that runs 100 ppm fast makes every pitch 1200 log2(1.0001) = 0.173 cents too low, and seconds too long.
        let clock = SampleClock(nominalRate: 48.kilohertz, error: 100.ppm)
        let strum = try #require(TunedStrum(heard, of: strings, clock: clock, finder: finder))
        #expect(
            strum.isStrum && abs(strum.time.inSeconds - 1.1) < 0.02 && strum.strings.map(\.position) == [0, 1, 2, 3])
        for (string, truth) in zip(strum.strings, cents) {
            // A tenth of a cent: what is demanded of the engine at half a second.
            #expect(
                string.isHeard && abs(string.pitch.deviation.value - truth - 0.173) < 0.1, "\(string.pitch.deviation)")
        }
        #expect(TunedStrum(heard, of: strings, clock: clock, finder: try self.finder("guitar")) == nil)
    }

    @Test func `A strum in another tuning has that one's strings and name, and the engine goes on to serve`() throws {
        var finder = try finder("guitar")
        let others = try Instrument(named: "guitar").others
        let strings = try StrummedStrings(finder, others: others)
        var engine = try strings.engine(sampleRate: 48.kilohertz)
        var generator = SeededGenerator(seed: 4)
        let places = [38.0, 45, 50, 54, 57, 62].map { 440 * exp2(($0 - 69) / 12) }
        let sound = TestSignals.strum(places, at: 0.1, seconds: 2, using: &generator)
        var last: HeardStrum?
        for start in stride(from: 0, to: sound.count, by: 4_800) {
            engine.process(sound.span.extracting(start..<min(start + 4_800, sound.count)))
            while let picture = engine.refine() { last = HeardStrum(picture, of: engine) }
        }
        let clock = SampleClock(nominalRate: 48.kilohertz)
        let newest = try #require(last)
        let heard = try #require(TunedStrum(newest, of: strings, clock: clock, finder: finder))
        #expect(heard.isStrum && heard.tuning?.name == "open D")
        // 2 cents: in tune by default.
        #expect(heard.strings.map(\.verdict) == Array(repeating: .inTune, count: 6))
        finder.strings = heard.tuning
        #expect(strings.serve(finder, others: others))
        // The player has named it, and knows of no other.
        #expect(!strings.serve(finder))
        finder.strings = try Instrument(named: "lap steel").standard
        #expect(!strings.serve(finder, others: others))
    }

    @Test func `An engine serves until the tuning has moved by more than ten cents`() throws {
        var finder = try finder("guitar")
        let strings = try StrummedStrings(finder)
        // 1200 log2(442 / 440) = 7.9 and 1200 log2(443 / 440) = 11.8.
        finder.tuning = try Tuning(reference: ReferencePitch(a4: 442.hertz))
        #expect(strings.serve(finder))
        finder.tuning = try Tuning(reference: ReferencePitch(a4: 443.hertz))
        #expect(!strings.serve(finder))
        finder = try self.finder("ukulele")
        #expect(!strings.serve(finder))
    }

    @Test func `Every built-in instrument of 2 to 12 strings has an engine that survives a strum of all its strings`()
        throws
    {
        var (made, refused) = (0, 0)
        var generator = SeededGenerator(seed: 1)
        for instrument in Instrument.all {
            let finder = try finder(instrument.name)
            let notes = instrument.standard.strings
            guard let strings = try? StrummedStrings(finder), var engine = try? strings.engine(sampleRate: 16.kilohertz)
            else {
                let places = notes.compactMap { finder.tuning.target(for: $0)?.frequency.value }
                #expect(
                    !(2...12).contains(notes.count) || places.contains { $0 < 25 || $0 > 1_000 }, "\(instrument.name)")
                refused += 1
                continue
            }
            let places = notes.compactMap { finder.tuning.target(for: $0)?.frequency.value }
            let sound = TestSignals.strum(places, at: 0.1, seconds: 1.3, sampleRate: 16_000, using: &generator)
            engine.process(sound.span)
            var pictures = 0
            while engine.refine() != nil { pictures += 1 }
            for string in notes.indices {
                let reading = engine.reading(of: string)
                let isSane = reading.frequency.value.isFinite && reading.standardError.value.isFinite
                #expect(isSane || !reading.isHeard, "\(instrument.name), string \(string)")
            }
            #expect(pictures > 0, "\(instrument.name)")
            made += 1
        }
        print("strums: engines for \(made) instruments, none for \(refused)")
        #expect(made > 60)
    }

    @Test func `Of the pictures of a strum the last one counts, or the final one at once`() throws {
        let finder = try finder("guitar")
        var sequence = StrumSequence()
        let whole: [Double?] = [0, 0, 0, 0, 0, 0]
        #expect(sequence.hear(strum(whole, finder, at: 1)).isEmpty)
        #expect(sequence.hear(strum(whole, finder, at: 1)).isEmpty)
        // Another begins before the first was measured to its end.
        #expect(sequence.hear(strum(whole, finder, at: 2)).map(\.time) == [.seconds(1)])
        #expect(sequence.hear(strum(whole, finder, at: 2, isFinal: true)).map(\.time) == [.seconds(2)])
        #expect(sequence.finish() == nil)
        #expect(sequence.hear(strum(whole, finder, at: 3)).isEmpty)
        #expect(sequence.finish()?.time == .seconds(3))
    }

    @Test func `A take keeps what is heard of a pitch during a strum out of its notes`() throws {
        let finder = try finder("guitar")
        let whole: [Double?] = [0, 0, 0, 0, 0, 0]
        let sounds = [strum(whole, finder, at: 1), strum(whole, finder, at: 3, isStrum: false)]
        let strums = PlayedStrum.all(among: sounds)
        #expect(strums.map(\.time) == [.seconds(1)])
        var take = Take(name: "take", finder: finder, strums: strums)
        // A pitch all the time, of which the second second is that of the strum; then the strum is silent.
        for hop in 0..<400 {
            let isRinging = hop < 200 || hop >= 300
            take.add(reading(at: Int64(hop) * 480, isRinging ? 110 : nil, finder: finder, isSilent: !isRinging))
        }
        take.finish()
        #expect(
            take.entries.map { $0.start.inSeconds.rounded() } == [0, 3] && take.entries.allSatisfy { $0.label == "A2" })
        #expect(take.strums.count == 1 && abs((take.strums.first?.end.inSeconds ?? 0) - 1.99) < 1e-9)
    }

    private func reading(at frame: Int64, _ hertz: Double?, finder: NoteFinder, isSilent: Bool) -> TunedNote {
        var reading = engineReading(at: frame, hertz)
        if isSilent { reading.state = .silence }
        return TunedNote(reading, clock: SampleClock(nominalRate: 48.kilohertz), finder: finder)
    }
}
