import Foundation
import Music
import ScoreFiles
import TestSignals
import Testing

@Suite struct TripletTests {
    private func note(_ midi: Int, _ start: Double, _ end: Double) -> MelodyNote {
        MelodyNote(start: .seconds(start), end: .seconds(end), note: Note(midi: midi), deviation: 0.cents, velocity: 80)
    }

    /// At 60 quarters a minute: quarter, triplet, two eighths, a triplet of a quarter and an eighth that is tied over.
    private func melody() -> NotatedMelody {
        let third = 1.0 / 3
        let notes = [
            note(60, 0, 0.95), note(62, 1, 1.3), note(63, 1 + third, 1.62), note(64, 1 + 2 * third, 1.97),
            note(65, 2, 2.48), note(66, 2.5, 2.97), note(67, 3, 3.64), note(69, 3 + 2 * third, 5),
        ]
        return NotatedMelody(
            notes, on: BeatPositions(tempo: 60, origin: .zero), beats: 4, beatType: 4, shortest: 16, triplets: [1, 3])
    }

    @Test func `Three eighths in a quarter are a triplet, and a note over its end is tied`() {
        let heads = melody().bars.map { bar in
            bar.map { "\($0.note?.midi ?? 0):\($0.length)\($0.isTriplet ? "t" : "")\($0.isTied ? "~" : "")" }
        }
        #expect(
            heads == [
                ["60:12", "62:4t", "63:4t", "64:4t", "65:6", "66:6", "67:8t", "69:4t~"], ["69:12", "0:12", "0:24"],
            ])
    }

    @Test func `The score says three in the time of two, and brackets each triplet`() {
        let text = MusicXMLFile(melody(), title: "T", tempi: [TempoMark(perMinute: 60)], software: "tests").text
        func count(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }
        #expect(count("<actual-notes>3</actual-notes>") == 5 && count("<normal-notes>2</normal-notes>") == 5)
        #expect(count("<tuplet type=\"start\"") == 2 && count("<tuplet type=\"stop\"") == 2)
        #expect(count("<divisions>12</divisions>") == 1)
    }

    @Test func `Whatever was played with triplets anywhere, bars are full and triplets are whole`() {
        var generator = SeededGenerator(seed: 21)
        for round in 0..<200 {
            var time = Double.random(in: 0...2, using: &generator)
            let notes = (0..<30).map { _ in
                time += Double.random(in: 0...1.2, using: &generator)
                let start = time
                time += Double.random(in: 0.02...1.5, using: &generator)
                return note(Int.random(in: 40...80, using: &generator), start, time)
            }
            let triplets = Set((0..<40).map { _ in Int.random(in: -4...60, using: &generator) })
            let shortest = [8, 16, 32][round % 3]
            let positions = BeatPositions(tempo: 80, fitting: notes, stepsPerBeat: shortest / 4)
            let melody = NotatedMelody(
                notes, on: positions, beats: 3 + round % 3, beatType: 4, shortest: shortest, triplets: triplets)
            for (index, bar) in melody.bars.enumerated() {
                let upbeat = index == 0 ? melody.upbeatLength : 0
                #expect(
                    bar.reduce(0) { $0 + $1.length } == (upbeat > 0 ? upbeat : melody.stepsPerBar), "round \(round)")
                for element in bar where !(element.note == nil && element.length == melody.stepsPerBar) {
                    #expect(NotatedMelody.Value(element, melody.stepsPerQuarter) != nil, "round \(round): \(element)")
                }
                var open = 0
                for element in bar where element.isTriplet {
                    if element.beginsTriplet { open += 1 }
                    #expect(open == 1, "round \(round)")
                    if element.endsTriplet { open -= 1 }
                }
                #expect(open == 0, "round \(round)")
            }
            let elements = Array(melody.bars.joined())
            #expect(elements.filter { $0.note != nil && !$0.isTiedBack }.count == notes.count)
        }
    }

    @Test(arguments: Clef.allCases) func `Each clef has its sign, and instruments an octave lower their 8`(_ clef: Clef)
    {
        let text = MusicXMLFile(melody(), title: "T", tempi: [TempoMark(perMinute: 60)], software: "tests", clef: clef)
            .text
        let sign = ["treble": "G", "alto": "C", "tenor": "C", "bass": "F", "guitar": "G", "bass-guitar": "F"]
        #expect(text.contains("<sign>\(sign[clef.rawValue] ?? "")</sign>"))
        #expect(text.contains("<clef-octave-change>-1<") == clef.rawValue.contains("guitar"))
    }
}
