import TestSignals
import Testing

@testable import Music

@Suite struct TuningTests {
    @Test func `Equal temperament agrees with the reference pitch's own arithmetic everywhere`() throws {
        let seed: UInt64 = 51
        print("tuning property test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let reference = ReferencePitch(a4: Double.random(in: 300...600, using: &random).hertz)
            let tuning = try Tuning(reference: reference)
            for _ in 0..<20 {
                let frequency = random.logUniform(1, 100_000).hertz
                let found = tuning.nearest(to: frequency)
                let expected = reference.nearestNote(to: frequency)
                // At the very ends the neighbour outside the table is missing; elsewhere both agree.
                guard frequency.value > 1.1, frequency.value < 90_000, abs(expected?.deviation.value ?? 50) < 49.999
                else {
                    continue
                }
                #expect(found?.target.key == expected?.note)
                // One logarithm each, of numbers below 2^17: 1e-11 cents.
                #expect(abs((found?.deviation.value ?? 99) - (expected?.deviation.value ?? 0)) < 1e-9)
                if let target = found?.target {
                    #expect(abs(target.frequency / reference.frequency(of: target.key) - 1) < 1e-14)
                    #expect(target.degree == target.key.pitchClass && target.octave == target.key.octave)
                }
            }
        }
    }

    @Test func `The piano and the reference are exact`() throws {
        let tuning = try Tuning()
        #expect(tuning.target(for: Note(midi: 69))?.frequency.value == 440)
        #expect(tuning.target(for: Note(midi: 21))?.frequency.value == 27.5)
        for temperament in Temperament.all {
            for key in 0..<12 {
                let a4 = try Tuning(reference: ReferencePitch(a4: 415.3.hertz), temperament: temperament, key: key)
                #expect(a4.target(for: Note(midi: 69))?.frequency.value == 415.3)
            }
        }
    }

    @Test func `A temperament puts each note where its offset says`() throws {
        // Werckmeister III at A4 = 440: C4 is 11.730 cents above equal (half of the Pythagorean comma), 263.404 Hz.
        let tuning = try Tuning(temperament: .werckmeisterIII)
        let middleC = try #require(tuning.target(for: Note(midi: 60)))
        #expect(abs(middleC.frequency.value - 261.625_565_300_598_6 * 1.006_798_626) < 1e-4)
        #expect(abs(Cents(from: 261.625_565_300_598_6.hertz, to: middleC.frequency).value - 11.730_005_192) < 1e-6)
        // In quarter-comma meantone E♭4 and B4 make a diminished sixth, not a fifth: the key decides which.
        let onE = try Tuning(temperament: .quarterCommaMeantone, key: 4)
        let e = try #require(onE.target(for: Note(midi: 64)))
        let gSharp = try #require(onE.target(for: Note(midi: 68)))
        #expect(abs(gSharp.frequency / e.frequency - 1.25) < 1e-12)
    }

    @Test func `Sweetened notes move by their offset, one octave or all`() throws {
        let all = try Sweetening(parsing: "-2")
        #expect((30...90).allSatisfy { all.offset(of: Note(midi: $0)) == (-2).cents } && all != Sweetening())
        #expect(throws: NameError.self) { try Sweetening(parsing: "-700") }
        let sweetening = try Sweetening(parsing: "E2=-2.3, B3=+1, F#=-10")
        let german = try Sweetening(parsing: "B=2, H3=1, fis=-10", naming: NoteNaming(language: .german))
        #expect(german.pitchClasses == [10: Cents(2), 6: Cents(-10)] && german.notes == [Note(midi: 59): Cents(1)])
        #expect(sweetening.offset(of: try Note(named: "E2")).value == -2.3)
        #expect(sweetening.offset(of: try Note(named: "E3")).value == 0)
        let plain = try Tuning()
        let sweet = try Tuning(sweetening: sweetening)
        for (name, offset) in [("E2", -2.3), ("E3", 0.0), ("B3", 1), ("F#2", -10), ("F#7", -10), ("A4", 0)] {
            let note = try Note(named: name)
            let moved = try #require(sweet.target(for: note)).frequency
            let home = try #require(plain.target(for: note)).frequency
            #expect(abs(Cents(from: home, to: moved).value - offset) < 1e-9, "\(name)")
            #expect(abs((sweet.deviation(of: home, from: note)?.value ?? 99) + offset) < 1e-9)
        }
        for text in ["E2", "E2=", "E2=x", "Q=1", "E2=700", "E2=1,", "=1", "E2=1e1", "E2=nan"] {
            #expect(throws: NameError.self, "\(text)") { try Sweetening(parsing: text) }
        }
        #expect(throws: NameError.notAnOffset(text: "A=1, Q=2", column: 6, expected: "a note name, as in E2 or F#")) {
            try Sweetening(parsing: "A=1, Q=2")
        }
    }

    @Test func `Nineteen to the octave from middle C`() throws {
        let tuning = try Tuning(scale: .equal(19))
        let middleC = ReferencePitch.standard.frequency(of: Note(midi: 60))
        for step in -19...38 {
            let frequency = middleC.raised(by: Cents(1_200 * Double(step) / 19))
            let found = try #require(tuning.nearest(to: frequency.raised(by: Cents(20))))
            #expect(found.target.key.midi == 60 + step)
            #expect(found.target.degree == ((step % 19) + 19) % 19)
            #expect(found.target.octave == 4 + (step < 0 ? -1 : step / 19))
            #expect(abs(found.deviation.value - 20) < 1e-9)
        }
        #expect(tuning.name(of: try #require(tuning.nearest(to: middleC)).target) == "0")
        // It covers what is heard, not just 128 keys.
        #expect(tuning.nearest(to: 20.0.hertz)?.deviation.value.magnitude ?? 99 < 1_200.0 / 38 + 1e-9)
        #expect(tuning.nearest(to: 20_000.0.hertz)?.deviation.value.magnitude ?? 99 < 1_200.0 / 38 + 1e-9)
    }

    @Test func `Names come from the scale, from the key, or from the degree`() throws {
        let named = try Tuning(scale: try Scale(parsing: "n\n3\n9/8 D\n5/4 E\n2/1 C\n"))
        #expect(named.name(of: try #require(named.target(for: Note(midi: 62)))) == "E")
        let twelve = try Tuning(scale: Scale(Temperament.just))
        #expect(
            twelve.name(of: try #require(twelve.target(for: Note(midi: 70))), in: NoteNaming(language: .german))
                == "Ais")
        #expect(twelve.target(for: Note(midi: 69))?.frequency.value == 440)
        let equal = try Tuning()
        #expect(equal.name(of: try #require(equal.target(for: Note(midi: 70)))) == "A#")
    }

    @Test func `A mapping lays seven notes on the white keys, and the black ones sound nothing`() throws {
        let scale = try Scale(parsing: "just major\n7\n9/8\n5/4\n4/3\n3/2\n5/3\n15/8\n2/1\n")
        let mapping = KeyboardMapping(
            middle: Note(midi: 60), reference: Note(midi: 69), frequency: 440.0.hertz, formalOctave: 7,
            pattern: [0, nil, 1, nil, 2, 3, nil, 4, nil, 5, nil, 6])
        let tuning = try Tuning(scale: scale, mapping: mapping)
        #expect(tuning.target(for: Note(midi: 61)) == nil)
        // A is degree 5, 5/3 above C: C4 = 264 Hz, G5 = 792 Hz, C3 = 132 Hz.
        for (midi, hertz) in [(60, 264.0), (64, 330), (69, 440), (79, 792), (48, 132), (71, 495)] {
            let target = try #require(tuning.target(for: Note(midi: midi)))
            #expect(abs(target.frequency.value - hertz) < 1e-9)
        }
        #expect(tuning.nearest(to: 280.0.hertz)?.target.key.midi == 60)
        #expect(tuning.target(for: Note(midi: 79))?.degree == 4)
        #expect(tuning.target(for: Note(midi: 79))?.octave == 5)
    }

    @Test func `The keys of a mapping bound the tuning, but the whole of MIDI does not`() throws {
        let bounded = try Tuning(scale: .equal(12), mapping: KeyboardMapping(keys: 60...71))
        #expect(bounded.count == 12)
        #expect(bounded.nearest(to: 1_000.0.hertz)?.target.key.midi == 71)
        let whole = try Tuning(
            scale: .equal(53), mapping: KeyboardMapping(reference: Note(midi: 60), frequency: 264.0.hertz))
        #expect(whole.count > 16 * 53)
    }

    @Test func `Pitches out of order and keys that share one are still found`() throws {
        let scale = Scale(
            description: "crooked", pitches: [.cents(700), .cents(-50), .cents(1_500), .cents(700), .cents(1_200)])
        let tuning = try Tuning(
            scale: scale, mapping: KeyboardMapping(reference: Note(midi: 60), frequency: 200.0.hertz))
        for index in 1..<tuning.count {
            #expect(tuning[index].frequency >= tuning[index - 1].frequency)
        }
        // 700 cents is degree 1 (key 61) and 4 (key 64): the lower key counts.
        #expect(tuning.nearest(to: 200.0.hertz.raised(by: Cents(699)))?.target.key.midi == 61)
        // -50 cents is nearer than 0 to -30.
        #expect(tuning.nearest(to: 200.0.hertz.raised(by: Cents(-30)))?.target.degree == 2)
    }

    @Test func `The nearest note is the nearest by brute force, in any scale`() throws {
        let seed: UInt64 = 52
        print("nearest note by brute force, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let count = Int.random(in: 1...30, using: &random)
            var pitches = (1..<max(2, count)).map { _ in
                ScalePitch.cents(Double.random(in: -300...1_500, using: &random))
            }
            pitches.append(.cents(Double.random(in: 200...2_000, using: &random)))
            let size = Int.random(in: 0...14, using: &random)
            var pattern = (0..<size).map { _ in
                Bool.random(using: &random) ? Int.random(in: 0...40, using: &random) : nil
            }
            if size > 0 { pattern[0] = 0 }
            let tuning = try Tuning(
                scale: Scale(description: "", pitches: pitches),
                mapping: KeyboardMapping(
                    reference: Note(midi: 60), frequency: random.logUniform(50, 2_000).hertz, pattern: pattern))
            for _ in 0..<40 {
                let frequency = random.logUniform(1, 100_000).hertz
                let found = try #require(tuning.nearest(to: frequency))
                let smallest =
                    (0..<tuning.count).map {
                        Cents(from: tuning[$0].frequency, to: frequency).value.magnitude
                    }.min() ?? .infinity
                // The brute force takes the detour over hertz: 1e-12 of 20,000 cents.
                #expect(abs(found.deviation.value.magnitude - smallest) < 1e-8)
            }
        }
    }

    @Test func `What is no pitch has no nearest note`() throws {
        let tuning = try Tuning()
        for value in [0, -1, 0.5, 200_000, Double.nan, .infinity, -.infinity] {
            #expect(tuning.nearest(to: value.hertz) == nil)
            #expect(tuning.deviation(of: value.hertz, from: Note(midi: 69)) == nil)
        }
        #expect(throws: TuningError.self) { try Tuning(reference: ReferencePitch(a4: Double.nan.hertz)) }
        #expect(throws: TuningError.unsupportedReference(0.0.hertz)) {
            try Tuning(reference: ReferencePitch(a4: 0.0.hertz))
        }
    }

    @Test func `A scale that cannot be tuned says why`() throws {
        let mapping = KeyboardMapping()
        func failure(_ scale: Scale, _ mapping: KeyboardMapping) -> TuningError? {
            do throws(TuningError) {
                _ = try Tuning(scale: scale, mapping: mapping)
                return nil
            } catch { return error }
        }
        let none = Scale(description: "", pitches: [])
        #expect(failure(none, mapping) == .periodNotAbove(Cents(0)))
        #expect(failure(Scale(description: "", pitches: [.cents(-5)]), mapping) == .periodNotAbove(Cents(-5)))
        #expect(failure(Scale(description: "", pitches: [.cents(0.001)]), mapping) == .tooManyNotes(limit: 65_536))
        #expect(
            failure(Scale(description: "", pitches: [.cents(1e300), .cents(1_200)]), mapping)
                == .tooManyNotes(limit: 65_536))
        #expect(failure(Scale(description: "", pitches: [.cents(.infinity)]), mapping) != nil)
        #expect(failure(Scale(description: "", pitches: [.cents(.nan)]), mapping) != nil)
        #expect(
            failure(.equal(12), KeyboardMapping(reference: Note(midi: 61), pattern: [0, nil]))
                == .referenceUnmapped(Note(midi: 61)))
        // The reference may lie outside the keys that are retuned.
        #expect(failure(.equal(12), KeyboardMapping(keys: 20...30)) == nil)
        #expect(
            failure(.equal(12), KeyboardMapping(keys: 61...61, reference: Note(midi: 60), pattern: [0, nil]))
                == .noNotes)
        #expect(failure(.equal(12), KeyboardMapping(frequency: 0.0.hertz)) == .unsupportedReference(0.0.hertz))
        #expect(
            TuningError.referenceUnmapped(Note(midi: 61)).message
                == "the mapping gives a frequency to key 61 (C#4), which has no note: "
                + "map that key, or choose another reference key")
    }
}
