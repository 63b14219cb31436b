import Intonation
import Music
import TestNotes
import Testing

@Suite struct HeldNoteTests {
    @Test func `A note stays, fades and goes, by the time of the sound`() {
        var held = HeldNote()
        #expect(held.pitch == nil)
        let isShown = held.hear(reading(at: 0, 440))
        #expect(isShown)
        // Whole for 0.25 s, then down to nothing within 2.25 s.
        for (frame, strength) in [(12_000, 1.0), (66_000, 0.5), (119_999, 1.0 / 108_000)] as [(Int64, Double)] {
            let isShown = held.hear(reading(at: frame, nil))
            #expect(!isShown)
            #expect(held.pitch?.label == "A4" && abs(held.strength - strength) < 1e-9)
        }
        let isLeft = held.hear(reading(at: 120_000, nil))
        #expect(!isLeft && held.pitch == nil)
    }

    @Test func `A lost device leaves the note at its faintest, and a new name keeps the frequency`() throws {
        var held = HeldNote()
        _ = held.hear(reading(at: 0, 441))
        held.fade()
        #expect(held.strength == 0 && held.pitch != nil)
        held.rename(by: NoteFinder(tuning: try Tuning(), naming: NoteNaming(language: .solfege)))
        #expect(held.pitch?.label == "La4" && held.pitch?.frequency == 441.hertz)
        held.forget()
        #expect(held.pitch == nil)
    }
}
