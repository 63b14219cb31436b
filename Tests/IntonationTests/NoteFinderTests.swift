import Intonation
import Music
import TestNotes
import Testing

@Suite struct NoteFinderTests {
    @Test func `Without strings the nearest note counts, with strings the nearest string`() throws {
        var finder = standardFinder
        // 98 Hz is G2, 0.4 cents up; the nearest string of a guitar is the A.
        #expect(finder.pitch(of: 98.hertz)?.label == "G2")
        finder.strings = try Instrument(named: "guitar").standard
        let string = try #require(finder.pitch(of: 98.hertz))
        #expect(string.label == "A2" && string.string == 1 && string.deviation < (-190).cents)
        finder.lockedString = 0
        #expect(finder.pitch(of: 98.hertz)?.label == "E2")
    }

    @Test func `A transposing instrument reads its own note and the concert note`() throws {
        let finder = NoteFinder(
            tuning: try Tuning(), naming: NoteNaming(), transposition: try Transposition(named: "Bb clarinet"))
        let pitch = try #require(finder.pitch(of: 440.hertz))
        #expect(pitch.label == "B4" && pitch.concert == "A4" && pitch.note == Note(midi: 69))
        #expect(finder.pitch(of: 0.hertz) == nil)
    }

    @Test func `A step of a scale is told from its octave`() throws {
        let finder = NoteFinder(tuning: try Tuning(scale: .equal(19)))
        // Middle C is degree 0 of octave 4.
        #expect(finder.pitch(of: 261.63.hertz)?.label == "0:4" && !finder.hasKeys)
    }
}
