import Foundation
import Music
import Testing
import Transcription

/// Notes whose level dips, and what is none of them.
struct DippingNoteTests {
    private let rate = 48_000.0

    /// A choir whose voices beat until they agree: from 0.13 s on its level falls for 50 ms, and is back 0.12 s later.
    @Test(arguments: [8.0, 9, 10, 11, 12], [57.0, 60, 61, 62, 69])
    func `A young note that dips and swells again is one note`(depth: Double, key: Double) throws {
        let sound = Melody(rate: rate)
        let dip = { (time: Double) in
            time < 0.18 ? max(0, 1 - (0.18 - time) / 0.05) : max(0, 1 - (time - 0.18) / 0.12)
        }
        sound.tone(at: 0.5, for: 1, edge: 0.06, gain: { -depth * dip($0) }, { _ in key })
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [Int(key)])
    }

    /// What falls on is over: the end of a note of 0.3 s is where it was released, not 0.2 s later.
    @Test(arguments: [0.2, 0.3, 0.35]) func `A young note that is released is over where its level falls`(
        length: Double
    ) throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: length, edge: 0.02) { _ in 62 }
        sound.tone(at: 0.5 + length + 0.3, for: 0.4, edge: 0.02) { _ in 62 }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == [62, 62])
        // The release of 20 ms, and the 24 ms of which a level is the mean.
        if let note = notes.first { #expect(abs(note.end / rate - 0.5 - length) < 0.044) }
    }

    /// Of itself a tone has no new phase, however it swells.
    @Test(arguments: [2.0, 2.5, 3]) func `A slow swell of one tone is no second note`(depth: Double) throws {
        let sound = Melody(rate: rate)
        sound.tone(
            at: 0.5, for: 1.2, edge: 0.05,
            gain: { time in time < 0.15 ? 0 : depth * sin(2 * .pi * 4.5 * (time - 0.15)) - depth },
            { _ in 60 })
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [60])
    }
}
