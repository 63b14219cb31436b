import Music
import TestNotes
import TestSignals
import Testing
import Transcription

@Suite struct NotesGridTests {
    private let four = MelodyGrid.Meter(beats: 4, value: 4)

    /// The beginnings of notes in usual rhythms, bar by bar, in beats.
    private func places(bars: Int, _ generator: inout SeededGenerator) -> [Double] {
        let rhythms: [[Double]] = [
            [1, 1, 1, 1], [2, 1, 1], [1, 0.5, 0.5, 1, 1], [0.5, 0.5, 0.5, 0.5, 1, 1], [1.5, 0.5, 1, 1], [1, 1, 2],
        ]
        var places: [Double] = []
        var place = 0.0
        for _ in 0..<bars {
            for length in rhythms.randomElement(using: &generator) ?? [] {
                places.append(place)
                place += length
            }
        }
        return places
    }

    @Test func `The tempo, and where each note belongs, follow from the notes alone`() throws {
        var generator = SeededGenerator(seed: 35)
        var right = 0
        for round in 0..<100 {
            let tempo = Double.random(in: 76...140, using: &generator)
            let places = places(bars: 16, &generator)
            // A good player: 12 ms.
            let starts = places.map { 0.5 + 60 / tempo * $0 + 0.012 * normal(&generator) }.sorted()
            let grid = try #require(MelodyGrid(starts: starts, meter: four), "round \(round): \(tempo)")
            // Half and twice the tempo are tempi too.
            let ratio = grid.tempo / tempo
            let level = ratio > 1.4 ? 2.0 : ratio < 0.7 ? 0.5 : 1
            // The standard error of a line through some 70 notes of 12 ms in 27 to 50 s: 0.02 %.
            #expect(abs(ratio / level - 1) < 0.001, "round \(round): \(grid.tempo) for \(tempo)")
            if level == 1 { right += 1 }
            for (place, start) in zip(places, starts) {
                // Four standard deviations of a note.
                #expect(
                    abs(grid.position(of: start) - level * place) < level * 0.048 * tempo / 60 + 0.01, "round \(round)")
            }
        }
        // The level is a guess: what is usual between 76 and 140.
        #expect(right >= 90, "\(right) of 100 at the player's level")
    }

    @Test func `A tempo that is known beforehand decides the level`() throws {
        var generator = SeededGenerator(seed: 36)
        let places = places(bars: 12, &generator)
        let starts = places.map { 60 / 66 * $0 }
        for (around, tempo) in [(60.0, 66.0), (140, 132)] {
            let grid = try #require(MelodyGrid(starts: starts, around: around, meter: four))
            #expect(abs(grid.tempo - tempo) < 0.05)
        }
    }

    @Test func `Of notes at random times there is no grid`() {
        var generator = SeededGenerator(seed: 37)
        var found = 0
        for _ in 0..<200 {
            var time = 0.0
            let starts = (0..<80).map { _ in
                time += Double.random(in: 0.15...0.9, using: &generator)
                return time
            }
            if MelodyGrid(starts: starts, meter: four) != nil { found += 1 }
        }
        // The evidence that is asked for is one in e¹² of all grids that are tried.
        #expect(found == 0, "\(found) of 200")
        #expect(MelodyGrid(starts: [], meter: four) == nil)
        #expect(MelodyGrid(starts: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], meter: four) == nil)
    }
}
