import Music
import TestSignals
import Testing

@Suite struct NoteTests {
    @Test func `The piano runs from A0 at 27.5 Hz to C8 at 4186 Hz`() {
        // Closed form of equal temperament; 4186.0090448 Hz is the published value to ten digits.
        let pitch = ReferencePitch.standard
        #expect(pitch.frequency(of: Note(midi: 21)).value == 27.5)
        #expect(abs(pitch.frequency(of: Note(midi: 108)).value - 4_186.009044809578) < 1e-9)
        #expect(Note(midi: 21).description == "A0")
        #expect(Note(midi: 108).description == "C8")
        #expect(Note(midi: 60).description == "C4")
    }

    @Test func `Octaves change between B and C, below zero too`() {
        #expect(Note(midi: 59).description == "B3")
        #expect(Note(midi: 0).description == "C-1")
        #expect(Note(midi: -1).description == "B-2")
        #expect(Note(midi: -12).pitchClass == 0)
    }

    @Test func `Any key raised by any deviation is found again with that deviation`() {
        let seed: UInt64 = 88
        print("Note property test, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let reference = ReferencePitch(a4: Double.random(in: 300...600, using: &random).hertz)
            let note = Note(midi: Int.random(in: 0...127, using: &random))
            let deviation = Double.random(in: -49.9...49.9, using: &random).cents
            let found = reference.nearestNote(to: reference.frequency(of: note).raised(by: deviation))
            #expect(found?.note == note)
            // Two exponentials and a logarithm in double precision: a few 1e-16 of 10 octaves, 1e-11 cent.
            #expect(abs((found?.deviation.value ?? 99) - deviation.value) < 1e-9)
        }
    }

    @Test func `What is no frequency has no nearest note`() {
        for value in [0, -1, -440, Double.nan, .infinity, -.infinity, .leastNonzeroMagnitude] {
            #expect(ReferencePitch.standard.nearestNote(to: value.hertz) == nil)
        }
    }
}
