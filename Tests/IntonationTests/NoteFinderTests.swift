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

    @Test func `What lies more than a fifth from every string is no string`() throws {
        var finder = standardFinder
        finder.strings = try Instrument(named: "guitar").standard
        let low = 82.407.hertz, high = 329.628.hertz
        #expect(finder.pitch(of: low.raised(by: (-690).cents))?.label == "E2")
        #expect(finder.pitch(of: low.raised(by: (-710).cents)) == nil)
        #expect(finder.pitch(of: high.raised(by: 690.cents))?.label == "E4")
        #expect(finder.pitch(of: high.raised(by: 710.cents)) == nil)
        // A locked string is compared with what sounds near any of them.
        finder.lockedString = 5
        #expect(finder.pitch(of: 110.hertz)?.deviation.value.rounded() == -1_900)
        #expect(finder.pitch(of: 30.hertz) == nil)
        finder.strings = nil
        #expect(finder.pitch(of: 30.hertz)?.label == "B0")
    }

    @Test func `A pitch of no string is not held, and comes back when all notes count`() throws {
        var guitar = standardFinder
        guitar.strings = try Instrument(named: "guitar").standard
        var held = HeldNote()
        let hum = reading(at: 0, 50, finder: guitar)
        #expect(hum.pitch == nil && hum.condition == .noString(isBelow: true))
        let isShown = held.hear(hum)
        #expect(!isShown && held.pitch == nil)
        #expect(hum.renamed(by: standardFinder).pitch?.label == "G1")
        #expect(hum.renamed(by: standardFinder).condition == nil)
        #expect(reading(at: 0, 880, finder: guitar).condition == .noString(isBelow: false))
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
