import Music
import TestSignals
import Testing

@testable import ScoreFiles

@Suite struct NotatedMelodyTests {
    private func note(_ midi: Int, _ start: Double, _ end: Double) -> MelodyNote {
        MelodyNote(start: .seconds(start), end: .seconds(end), note: Note(midi: midi), deviation: 0.cents, velocity: 80)
    }

    @Test func `Whatever was played, every bar is full, and every value can be written`() throws {
        var generator = SeededGenerator(seed: 4)
        for (beats, beatType) in [(4, 4), (3, 4), (6, 8), (5, 8), (2, 2), (7, 16), (1, 4)] {
            for shortest in [4, 8, 16, 32] {
                for _ in 0..<25 {
                    var time = 0.0
                    let notes = (0..<30).map { _ in
                        time += Double.random(in: 0...1.5, using: &generator)
                        let start = time
                        time += Double.random(in: 0.02...2, using: &generator)
                        return note(Int.random(in: 40...80, using: &generator), start, time)
                    }
                    var positions = BeatPositions(tempo: 97, fitting: notes, stepsPerBeat: max(1, shortest / 4))
                    let steps = max(shortest, beatType) * beats / beatType
                    // An upbeat of up to a bar less a step.
                    let upbeat = Int.random(in: 0..<steps, using: &generator)
                    positions = positions.counted(from: 4 * Double(upbeat) / Double(max(shortest, beatType)))
                    let melody = NotatedMelody(
                        notes, on: positions, beats: beats, beatType: beatType, shortest: shortest)
                    for (index, bar) in melody.bars.enumerated() {
                        let upbeat = index == 0 ? melody.upbeatLength : 0
                        #expect(bar.reduce(0) { $0 + $1.length } == (upbeat > 0 ? upbeat : melody.stepsPerBar))
                    }
                    for bar in melody.bars {
                        for element in bar where !(element.note == nil && element.length == melody.stepsPerBar) {
                            #expect(NotatedMelody.Value(steps: element.length, melody.stepsPerQuarter) != nil)
                        }
                    }
                    let elements = Array(melody.bars.joined())
                    // Every note once, and a tie only between two heads of one note.
                    #expect(elements.filter { $0.note != nil && !$0.isTiedBack }.count == notes.count)
                    for (element, next) in zip(elements, elements.dropFirst()) {
                        #expect(element.isTied == next.isTiedBack && (!element.isTied || element.note == next.note))
                    }
                }
            }
        }
    }

    @Test func `A note over a bar line is tied, and a rest is written where nothing sounds`() {
        // At 60 quarters a minute a second is a quarter: a half from beat 4 on, and a rest of a quarter after it.
        let notes = [note(60, 0, 3), note(62, 3, 5), note(64, 6, 8)]
        let melody = NotatedMelody(
            notes, on: BeatPositions(tempo: 60, origin: .zero), beats: 4, beatType: 4, shortest: 16)
        let heads = melody.bars.map { $0.map { "\($0.note?.midi ?? 0):\($0.length)\($0.isTied ? "~" : "")" } }
        #expect(heads == [["60:12", "62:4~"], ["62:4", "0:4", "64:8"]])
    }

    private func heads(_ notes: [MelodyNote], beats: Int, beatType: Int) -> [[String]] {
        NotatedMelody(
            notes, on: BeatPositions(tempo: 60, origin: .zero), beats: beats, beatType: beatType, shortest: 16
        )
        .bars.map { $0.map { "\($0.note?.midi ?? 0):\($0.length)\($0.isTied ? "~" : "")" } }
    }

    @Test func `After a long note a rest of a beat or of an eighth is written`() {
        // Nine tenths of each written value sound, as players articulate: three quarters and a rest, twelve and three, two and a half.
        let dotted = heads([note(60, 0, 2.7), note(62, 4, 6.7), note(64, 8, 11.6)], beats: 4, beatType: 4)
        #expect(dotted == [["60:12", "0:4"], ["62:12", "0:4"], ["64:16"]])
        let long = heads([note(60, 0, 11.9), note(62, 15, 16)], beats: 3, beatType: 4)
        #expect(long == [["60:12~"], ["60:12~"], ["60:12~"], ["60:12"], ["0:12"], ["62:4", "0:4", "0:4"]])
        let short = heads([note(60, 0, 1.9), note(62, 2.5, 4)], beats: 4, beatType: 4)
        #expect(short == [["60:8", "0:2", "62:2~", "62:4"]])
    }

    @Test func `A note before a rest has a plain value, and a staccato one stays short`() {
        // Four fifths of a half sound before a rest of a half; half of a quarter before another quarter.
        #expect(heads([note(60, 0, 1.65), note(62, 4, 5)], beats: 4, beatType: 4)[0] == ["60:8", "0:8"])
        #expect(heads([note(60, 0, 0.5), note(62, 1, 2)], beats: 2, beatType: 4)[0] == ["60:2", "0:2", "62:4"])
    }

    @Test func `What players leave between notes is no rest`() {
        for length in [0.25, 0.5, 1, 2, 4] {
            for share in [0.85, 0.9, 1] {
                let notes = (0..<4).map { note(60 + $0, Double($0) * length, (Double($0) + share) * length) }
                #expect(heads(notes, beats: 4, beatType: 4).joined().allSatisfy { !$0.hasPrefix("0:") || length < 1 })
                let first = heads(notes, beats: 4, beatType: 4)[0][0]
                #expect(first == "60:\(Int(4 * length))", "\(length) \(share)")
            }
        }
    }

    @Test func `Notes played early and late by less than half a step come to lie on the grid`() {
        let played = [0.02, 0.49, 1.03, 1.48, 2.01]
        let notes = zip(played, played.dropFirst()).map { note(60, $0, $1 - 0.03) }
        let positions = BeatPositions(tempo: 60, fitting: notes, stepsPerBeat: 4)
        let melody = NotatedMelody(notes, on: positions, beats: 2, beatType: 4, shortest: 16)
        #expect(melody.bars.joined().map(\.length) == [2, 2, 2, 2])
    }

    @Test func `An upbeat stands in a short bar of its own, and the first bar follows it`() {
        let notes = [note(60, 0, 1), note(62, 1, 2), note(64, 2, 4), note(65, 4, 5)]
        let positions = BeatPositions(tempo: 60, origin: .zero).counted(from: 1)
        let melody = NotatedMelody(notes, on: positions, beats: 3, beatType: 4, shortest: 16)
        #expect(melody.bars.map { $0.map(\.length) } == [[4], [4, 8], [4, 4, 4]])
        #expect(melody.upbeatLength == 4)
        // Quarter 0 begins the bar after the upbeat.
        #expect(melody.step(ofQuarter: 0, inBar: 0) == nil && melody.step(ofQuarter: 0, inBar: 1) == 0)
        #expect(melody.step(ofQuarter: -1, inBar: 0) == 0 && melody.step(ofQuarter: 4, inBar: 2) == 4)
        let eighths = (0..<5).map { note(60 + $0, 0.5 * Double($0), 0.5 * Double($0 + 1)) }
        let six = NotatedMelody(
            eighths, on: BeatPositions(tempo: 60, origin: .zero).counted(from: 1), beats: 6, beatType: 8, shortest: 16)
        #expect(six.bars.map { $0.map(\.length) } == [[2, 2], [2, 2, 2, 6]])
    }

    @Test func `Beats at given times place notes between them`() throws {
        let positions = try #require(BeatPositions(beats: [.seconds(1), .seconds(2), .seconds(4)]))
        #expect(positions.position(of: .seconds(1.5)) == 0.5)
        #expect(positions.position(of: .seconds(3)) == 1.5)
        #expect(positions.position(of: .seconds(6)) == 3 && positions.position(of: .zero) == -1)
        #expect(BeatPositions(beats: [.seconds(1)]) == nil && BeatPositions(beats: [.seconds(1), .seconds(1)]) == nil)
    }

    @Test func `Beats found late are continued back to the first note`() throws {
        let beats = (5..<20).map { Duration.seconds(0.5 + 0.6 * Double($0)) }
        let positions = try #require(BeatPositions(beats: beats, from: .seconds(0.48)))
        #expect(abs(positions.position(of: .seconds(0.5))) < 1e-9)
        #expect(abs(positions.position(of: .seconds(0.5 + 0.6 * 2.5)) - 2.5) < 1e-9)
        #expect(abs(positions.position(of: .seconds(0.5 + 0.6 * 12)) - 12) < 1e-9)
        // Beats before the first note are left out.
        let later = try #require(BeatPositions(beats: beats, from: beats[4] + .milliseconds(20)))
        #expect(abs(later.position(of: beats[4])) < 1e-9)
        #expect(BeatPositions(beats: [.seconds(1)], from: .zero) == nil)
    }
}
