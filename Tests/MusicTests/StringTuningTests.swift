import Music
import TestSignals
import Testing

@Suite struct StringTuningTests {
    @Test func `Strings, courses and runs are written down`() throws {
        #expect(try StringTuning(name: "", strings: " E2  A2 ").strings.map(\.midi) == [40, 45])
        #expect(try StringTuning(name: "", strings: "E2/E3 B3/B3").courses.map(\.count) == [2, 2])
        #expect(try StringTuning(name: "", strings: "C4..C5").strings.map(\.midi) == [60, 62, 64, 65, 67, 69, 71, 72])
        #expect(try StringTuning(name: "", strings: "C4..E4:DE").strings.map(\.midi) == [60, 61, 63])
        #expect(try StringTuning(name: "", strings: "A0~C8").strings.count == 88)
    }

    @Test(arguments: [
        ("", 1), ("E2 X2", 4), ("E2 A", 5), ("E2/", 4), ("D2 E2/Q", 7), ("C5..C4", 5), ("C4..", 5), ("C0~C12", 4),
        ("E2,A2", 2),
    ]) func `What is no string is refused with its place in the list`(text: String, column: Int) {
        #expect {
            try StringTuning(name: "", strings: text)
        } throws: { error in
            guard case .notANote(_, let place, _) = error as? NameError else { return false }
            return place == column
        }
    }

    @Test func `The guitar's strings count down to the high E, the koto's up`() throws {
        let guitar = try Instrument(named: "guitar").standard
        #expect((0..<6).map { guitar.courseNumber(ofString: $0) } == [6, 5, 4, 3, 2, 1])
        let twelve = try Instrument(named: "12-string guitar").standard
        #expect((0..<12).map { twelve.courseNumber(ofString: $0) } == [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1])
        let koto = try Instrument(named: "koto").standard
        #expect((0..<13).map { koto.courseNumber(ofString: $0) } == Array(1...13))
        #expect(koto.courseNumber(ofString: 13) == 0)
    }

    @Test func `A capo raises every string`() throws {
        let guitar = try Instrument(named: "guitar").standard
        #expect(guitar.capo(2).strings == guitar.strings.map { Note(midi: $0.midi + 2) })
        #expect(guitar.capo(0) == guitar)
        #expect(try Instrument(named: "koto").standard.capo(1).countsFromFirst)
    }

    @Test func `The nearest string is found and a locked one is kept`() throws {
        let tuning = try Tuning(reference: ReferencePitch(a4: 442.0.hertz))
        let guitar = try Instrument(named: "guitar").standard
        let flatD = tuning.target(for: try Note(named: "D3"))?.frequency.raised(by: Cents(-35)) ?? 0.0.hertz
        let found = try #require(guitar.nearest(to: flatD, in: tuning))
        #expect(found.string == 2)
        #expect(abs(found.deviation.value + 35) < 1e-9)
        // The fifth string, five semitones up and 35 cents flat.
        let locked = try #require(guitar.nearest(to: flatD, in: tuning, locked: 1))
        #expect(locked.string == 1)
        #expect(abs(locked.deviation.value - 465) < 1e-9)
        #expect(guitar.nearest(to: 0.0.hertz, in: tuning) == nil)
        #expect(guitar.nearest(to: flatD, in: tuning, locked: 6) == nil)
    }

    @Test func `Every string of every instrument, a little off, is found as itself`() throws {
        let seed: UInt64 = 41
        print("nearest string property test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let tuning = try Tuning(temperament: .vallotti, key: 2)
        for instrument in Instrument.all {
            for stringTuning in instrument.tunings {
                for (index, note) in stringTuning.strings.enumerated() {
                    // Half of the smallest semitone, 90 cents, is 45.
                    let deviation = Double.random(in: -40...40, using: &random)
                    let target = try #require(tuning.target(for: note))
                    let found = try #require(
                        stringTuning.nearest(to: target.frequency.raised(by: Cents(deviation)), in: tuning))
                    #expect(stringTuning.strings[found.string] == note)
                    #expect(found.string <= index)
                    #expect(abs(found.deviation.value - deviation) < 1e-9)
                }
            }
        }
    }
}
