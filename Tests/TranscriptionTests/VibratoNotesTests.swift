import Foundation
import Music
import Testing
import Transcription

/// What a vibrato is, and what is none, to `NoteSegmenter`.
@Suite struct VibratoNotesTests {
    private let rate = 48_000.0

    /// Heard first at the lower turn, it is told as that: the upper one lies more than half a semitone away.
    @Test func `A wide vibrato that is bowed anew at its upper turn is one note`() throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 1.5) { time in 78 - 0.34 * cos(2 * .pi * 5.5 * max(0, time - 0.1)) }
        sound.tone(at: 1.136, for: 0.4, amplitude: 0.1, edge: 0.01) { time in
            78 - 0.34 * cos(2 * .pi * 5.5 * (time + 0.536))
        }
        #expect(try endedNotes(sound.samples).map { $0.note.midi } == [78])
    }

    @Test func `A vibrato is one note with its rate and depth`() throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 2) { time in 69 + 0.3 * sin(2 * .pi * 5.6 * time) }
        let notes = try endedNotes(sound.samples)
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        // The rates that are tried lie 0.1 Hz apart; readings of a moving pitch follow it to a tenth of its swing.
        #expect(abs(note.vibratoRate.value - 5.6) <= 0.1)
        #expect(abs(note.vibratoDepth.value - 30) < 4)
        #expect(abs(note.deviation.value) < 3)
    }

    /// As wide as that of a singer on the stage; at each turn of 60 cents and more it is nearer to another key.
    @Test func `A wide vibrato is one note about its middle`() throws {
        var (right, all) = (0, 0)
        for depth in [0.5, 0.6, 0.7, 0.8] {
            for key in [50.0, 57, 62, 69, 76] {
                for rate in [4.8, 5.6, 6.4] {
                    for phase in [0.0, 0.25, 0.5, 0.75] {
                        let sound = Melody(rate: self.rate)
                        sound.tone(at: 0.5, for: 1.5) { time in key + depth * sin(2 * .pi * (rate * time + phase)) }
                        all += 1
                        let notes = try endedNotes(sound.samples)
                        guard notes.count == 1, let note = notes.first else { continue }
                        let isCentred = note.note.midi == Int(key) && abs(note.deviation.value) < 10
                        // As in the article: readings of a moving pitch follow it to a tenth of its swing.
                        let isMeasured =
                            abs(note.vibratoRate.value - rate) <= 0.2 && abs(note.vibratoDepth.value / depth - 100) < 20
                        if isCentred && isMeasured { right += 1 }
                    }
                }
            }
        }
        print("wide vibrato: \(right) of \(all) notes are one, with middle, rate and depth")
        // The narrowest and fastest on D3 are read too seldom.
        #expect(right >= 220)
    }

    /// What is first read is the upper half or the lower one; the turns on the other side are over before they hold still.
    @Test func `A vibrato of a semitone to either side has the key of its middle`() throws {
        var (right, all) = (0, 0)
        for depth in [0.9, 1.0] {
            for key in [48.0, 52, 57, 62, 67, 72] {
                for rate in [5.0, 5.5, 6.0] {
                    for phase in [0.0, 0.25, 0.5, 0.75] {
                        let sound = Melody(rate: self.rate)
                        sound.tone(at: 0.5, for: 1.4) { time in key + depth * sin(2 * .pi * (rate * time + phase)) }
                        let notes = try endedNotes(sound.samples)
                        all += 1
                        let longest = notes.max { $0.end - $0.start < $1.end - $1.start }
                        guard let longest, longest.end - longest.start > 0.9 * self.rate else { continue }
                        if longest.note.midi == Int(key), abs(longest.deviation.value) < 15 { right += 1 }
                    }
                }
            }
        }
        print("vibrato of a semitone: \(right) of \(all) have the key of their middle")
        // 134, and 108 of those whose turns have to hold still.
        #expect(right >= 126)
    }

    @Test(arguments: [1.0, 2], [0.08, 0.1, 0.125, 0.15])
    func `A trill is no vibrato`(step: Double, length: Double) throws {
        let sound = Melody(rate: rate)
        let keys: [Double] = (0..<33).map { $0 % 2 == 0 ? 72 : 72 + step }
        sound.line(keys.map { (key: $0, seconds: length) } + [(key: 72 + step, seconds: 0.5)], at: 0.5)
        #expect(try endedNotes(sound.samples).map { Double($0.note.midi) } == keys + [72 + step])
    }

    /// With 40 ms from pitch to pitch, as a voice or a trombone slurs; 0.125 s are sixteenths at 120 beats a minute.
    @Test(arguments: [0.125, 1.0 / 6], [57.0, 69, 76])
    func `A slurred scale, a mordent and a turn are no vibrato`(length: Double, base: Double) throws {
        let scale = Array(0...12).map(Double.init)
        let ornaments: [[Double]] = [[0, 1, 0], [0, -2, 0], [0, 1, 0, -1, 0], [0, 2, 0, -2, 0]]
        for steps in [scale, scale.reversed()] + ornaments {
            let isScale = steps.count > 5
            // The first and the last note of an ornament are held.
            let ends = steps.indices.reduce(into: [0.0]) { ends, place in
                let isHeld = place == steps.count - 1 || !isScale && place == 0
                ends.append(ends[place] + (isHeld ? 0.5 : length))
            }
            let sound = Melody(rate: rate)
            sound.tone(at: 0.5, for: ends[steps.count]) { time in
                zip(zip(steps, steps.dropFirst()), ends.dropFirst()).reduce(base + steps[0]) { key, slur in
                    key + (slur.0.1 - slur.0.0) * min(1, max(0, (time - slur.1) / 0.04 + 0.5))
                }
            }
            let keys = try endedNotes(sound.samples).map { Double($0.note.midi) - base }
            #expect(keys == steps)
        }
    }

    @Test func `A steady note has no vibrato`() throws {
        let sound = Melody(rate: rate)
        sound.tone(at: 0.5, for: 2) { _ in 62.2 }
        let note = try #require(try endedNotes(sound.samples).first)
        #expect(note.vibratoDepth.value == 0 && note.vibratoRate.value == 0)
        #expect(note.note.midi == 62 && abs(note.deviation.value - 20) < 0.5)
    }
}
