import CAllocationProbe
import Foundation
import Music
import Rhythm
import Testing
import Transcription

@Suite struct NoteSegmenterTests {
    private let rate = 48_000.0

    @Test func `Plucked notes are told one by one, where they begin and as what they are`() throws {
        let keys = [57.0, 60, 64, 62, 69, 57]
        let sound = Melody(rate: rate)
        for (index, key) in keys.enumerated() { sound.pluck(key, at: 0.5 + 0.4 * Double(index), for: 0.38) }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == keys.map { Int($0) })
        for (index, note) in notes.enumerated() {
            // What the onset detector is accurate to, with a margin: the attack of 2 ms rises in that time.
            #expect(abs(note.start / rate - (0.5 + 0.4 * Double(index))) < 0.005)
            // Five standard errors of a clean tone of 0.3 s, which is known to a hundredth of a cent, or 0.5 cents of the attack.
            #expect(abs(note.deviation.value) < 0.5)
        }
    }

    @Test func `A note that is struck again is a second note`() throws {
        let sound = Melody(rate: rate)
        for beat in 0..<6 { sound.pluck(64, at: 0.5 + 0.3 * Double(beat), for: 0.29) }
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [64, 64, 64, 64, 64, 64])
    }

    @Test func `Slurred notes without an onset between them are notes of their own`() throws {
        let sound = Melody(rate: rate)
        let keys = [60.0, 62, 64, 65, 67, 65, 64]
        sound.line(keys.map { (key: $0, seconds: 0.4) }, at: 0.5)
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == keys.map { Int($0) })
        for (note, next) in zip(notes, notes.dropFirst()) { #expect(note.end <= next.start + 1) }
    }

    @Test func `Slurred notes are notes of their own before the first is too old to be corrected`() throws {
        let sound = Melody(rate: rate)
        let keys = [60.0, 64, 67, 64, 60]
        // Sixteenths at 100 beats a minute: a pitch may be corrected for 0.2 s.
        sound.line(keys.map { (key: $0, seconds: 0.15) }, at: 0.5)
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == keys.map { Int($0) })
    }

    /// The readings stay with the lower note until it has died away: its period is one of the upper note too.
    @Test func `An octave that swells out of the note before is a note of its own, told before the next`() throws {
        let sound = Melody(rate: rate)
        let keys = [65.0, 77, 74]
        // Sixteenths at 75 beats a minute; each swells for 60 ms while the one before dies away.
        for (index, key) in keys.enumerated() {
            sound.tone(at: 0.5 + 0.2 * Double(index), for: 0.26, edge: 0.06) { _ in key }
        }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == keys.map { Int($0) })
        for (index, note) in notes.enumerated() {
            // As near as `notes` asks for.
            #expect(abs(note.start / rate - (0.5 + 0.2 * Double(index))) < 0.05)
        }
    }

    @Test func `Notes of a piccolo are told up to F8`() throws {
        let sound = Melody(rate: rate)
        let keys = [105.0, 108, 110, 113]
        for (index, key) in keys.enumerated() {
            sound.tone(at: 0.5 + 0.6 * Double(index), for: 0.4) { _ in key }
        }
        #expect(try endedNotes(sound.samples).map { Double($0.note.midi) } == keys)
    }

    @Test func `A glide over a fifth is not a row of notes`() throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 1.8) { time in 60 + 7 * min(1, max(0, (time - 0.6) / 0.5)) }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == [60, 67])
    }

    /// At 20 to 70 keys a second; what the musician means are the notes at its ends.
    @Test(arguments: [0.1, 0.15, 0.2], [64.0, 67, 56, 53])
    func `A short glide is told as the notes at its ends`(seconds: Double, key: Double) throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 1.8) { time in 60 + (key - 60) * min(1, max(0, (time - 0.6) / seconds)) }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == [60, Int(key)])
        // The second begins while the pitch moves, with a hop of 5 ms to either side for the reading.
        let start = try #require(notes.last).start / rate
        #expect(start > 1.1 - 0.006 && start < 1.1 + seconds + 0.006, "\(start)")
    }

    @Test(arguments: [0.1, 0.15, 0.2], [64.0, 55])
    func `A slurred note with a slow attack begins within its attack`(attack: Double, key: Double) throws {
        let sound = Melody(rate: rate)
        // The one fades while the other swells, as under a bow that changes the string.
        sound.tone(at: 0.5, for: 0.6 + attack, edge: attack) { _ in 60 }
        sound.tone(at: 1.1, for: 0.8, edge: attack) { _ in key }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == [60, Int(key)])
        let start = try #require(notes.last).start / rate
        #expect(start > 1.1 - 0.02 && start < 1.1 + attack, "\(start)")
    }

    /// As one tone, both have the pitch of which they are harmonics: 56 for 75 and 68.
    @Test(arguments: [(75.0, 68.0), (70, 63), (65, 72), (62, 81)])
    func `A note over one that rings is told as what it is`(old: Double, new: Double) throws {
        let sound = Melody(rate: rate)
        sound.pluck(old, at: 0.5, for: 0.9)
        sound.pluck(new, at: 0.9, for: 0.5)
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [Int(old), Int(new)])
    }

    @Test func `An octave is a note, and no note breaks into octaves`() throws {
        let sound = Melody(rate: rate)
        for (index, key) in [52.0, 64, 52, 76, 64].enumerated() {
            sound.pluck(key, at: 0.5 + 0.5 * Double(index), for: 0.49)
        }
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [52, 64, 52, 76, 64])
    }

    @Test func `A softer note has a lower velocity`() throws {
        let sound = Melody(rate: rate)
        for (index, amplitude) in [0.4, 0.1, 0.025].enumerated() {
            sound.pluck(60 + 2 * Double(index), at: 0.5 + 0.5 * Double(index), for: 0.45, amplitude: amplitude)
        }
        let velocities = try endedNotes(sound.samples).map(\.velocity)
        #expect(velocities.count == 3)
        // 12 dB are a factor of two in velocity; the notes' decays differ.
        for (loud, soft) in zip(velocities, velocities.dropFirst()) {
            #expect(abs(Double(loud) / Double(soft) - 2) < 0.25, "\(velocities)")
        }
    }

    @Test(arguments: [415.0, 432, 466])
    func `Where notes begin and end does not depend on the A4 that names them`(a4: Double) throws {
        let sound = Melody(rate: rate)
        for (index, key) in [53.0, 58, 57, 64, 51, 55, 55].enumerated() {
            sound.pluck(key, at: 0.5 + 0.3 * Double(index), for: 0.9)
        }
        let usual = try endedNotes(sound.samples)
        let other = try endedNotes(sound.samples, reference: ReferencePitch(a4: a4.hertz))
        #expect(usual.count >= 7 && usual.map(\.start) == other.map(\.start) && usual.map(\.end) == other.map(\.end))
        #expect(usual.map(\.frequency) == other.map(\.frequency))
        for note in other {
            let key = 69 + 12 * log2(note.frequency.value / a4)
            #expect(note.note.midi == Int(key.rounded()))
            // Rounding of a double.
            #expect(abs(note.deviation.value - 100 * (key - key.rounded())) < 1e-6)
        }
    }

    @Test func `The notes do not depend on the blocks`() throws {
        let sound = Melody(rate: rate)
        for beat in 0..<5 { sound.pluck(60 + Double(beat), at: 0.3 + 0.3 * Double(beat), for: 0.28) }
        let whole = try noteEvents(sound.samples, block: 4_096).map {
            "\($0.kind) \($0.note.start) \($0.note.frequency)"
        }
        for block in [1, 77, 1_000] {
            #expect(
                try noteEvents(sound.samples, block: block).map { "\($0.kind) \($0.note.start) \($0.note.frequency)" }
                    == whole)
        }
    }

    @Test func `Silence, noise and samples that are no numbers are no notes`() throws {
        #expect(try endedNotes([Float](repeating: 0, count: 96_000)).isEmpty)
        #expect(try endedNotes([Float](repeating: .nan, count: 48_000)).isEmpty)
        var generator = EvenNoise(seed: 5)
        #expect(try endedNotes((0..<192_000).map { _ in 0.1 * generator.next() }).isEmpty)
    }

    /// A quiet room for half a minute, in which one short note in four seconds was told before.
    @Test(arguments: [1, 2, 3] as [UInt64]) func `A room with nobody in it has no notes`(seed: UInt64) throws {
        var generator = EvenNoise(seed: seed)
        #expect(try endedNotes((0..<1_440_000).map { _ in 5e-4 * generator.next() }).isEmpty)
    }

    /// Two strings of a guitar have the pitch in common of which both are harmonics, and a crossing hand leaves both ringing.
    @Test(arguments: [(53.0, 58.0), (57, 64), (64, 57), (51, 56), (42, 47), (66, 61)])
    func `A string that is plucked while another rings is not told as what both have in common`(
        old: Double, new: Double
    ) throws {
        let sound = Melody(rate: rate)
        sound.pluck(old, at: 0.5, for: 1.6)
        sound.pluck(new, at: 0.9, for: 1.2)
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [Int(old), Int(new)])
    }

    /// A bow that changes to the next string: the new note swells for 0.15 s while the old one dies away. It begins within the
    /// 50 ms in which a transcription counts as right.
    @Test(arguments: [(57.0, 62.0), (62, 57), (50, 45), (69, 64)])
    func `A note that swells out of the one before begins where that one gives way`(old: Double, new: Double) throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 0.6, edge: 0.08) { _ in old }
        sound.tone(at: 1.05, for: 0.7, edge: 0.15) { _ in new }
        let notes = try endedNotes(sound.samples)
        #expect(notes.map { $0.note.midi } == [Int(old), Int(new)])
        let last = try #require(notes.last)
        #expect(abs(last.start / rate - 1.05) < 0.05, "\(last.start / rate)")
    }

    @Test func `Nothing is allocated while samples flow`() throws {
        let sound = Melody(rate: rate)
        for beat in 0..<8 { sound.pluck(60 + Double(beat), at: 0.2 + 0.3 * Double(beat), for: 0.28) }
        var segmenter = try NoteSegmenter(sampleRate: rate.hertz)
        let samples = sound.samples
        allocation_probe_reset()
        let probed = [Int](repeating: 7, count: 1_000)
        #expect(allocation_probe_count() > 0 && probed.count == 1_000)
        var count = 0
        samples.withUnsafeBufferPointer { all in
            allocation_probe_reset()
            for start in stride(from: 0, to: all.count, by: 480) {
                segmenter.process(all.extracting(start..<min(start + 480, all.count)).span)
                while segmenter.nextEvent() != nil { count += 1 }
            }
            segmenter.finish()
        }
        #expect(allocation_probe_count() == 0)
        #expect(count > 8)
    }

    @Test func `A rate that cannot be analysed is an error that says what to do`() {
        #expect(throws: OnsetError.self) { _ = try NoteSegmenter(sampleRate: 4_000.hertz) }
        do { _ = try NoteSegmenter(sampleRate: 4_000.hertz) } catch {
            #expect(error.message.contains("4000") && !error.remedy.isEmpty)
        }
    }
}
