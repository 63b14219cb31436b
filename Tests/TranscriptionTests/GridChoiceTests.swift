import Music
import Rhythm
import TestNotes
import TestSignals
import Testing
import Transcription

@Suite struct GridChoiceTests {
    private let four = MelodyGrid.Meter(beats: 4, value: 4)

    private let melody = GeneratedMelody(perBeat: 1)

    /// Bars of 4/4, in beats: usual rhythms, those with sixteenths, and those with triplets.
    private static let plain: [[Double]] = [
        [1, 1, 1, 1], [2, 1, 1], [1, 0.5, 0.5, 1, 1], [0.5, 0.5, 0.5, 0.5, 1, 1], [1.5, 0.5, 1, 1], [1, 1, 2],
    ]
    private static let rich = plain + [[0.25, 0.25, 0.5, 1, 1, 1], [0.75, 0.25, 1, 2], [1, 0.5, 0.25, 0.25, 1, 1]]
    private static let third = 1 / 3.0
    private static let triplets = plain + [[third, third, third, 1, 1, 1], [1, third, third, third, 2]]

    /// Whether each note is where it was written, or all at half or twice the tempo: to half of a sixteenth, or to 4.5 standard
    /// deviations of a player of 12 ms, which one note in 150 000 exceeds.
    private func isRight(_ grid: MelodyGrid, _ places: [Double], _ starts: [Double], tempo: Double) -> Bool {
        let tolerance = max(0.125, 4.5 * 0.012 * tempo / 60)
        let told = starts.map { grid.position(of: $0) }
        return [1, 2, 0.5].contains { (level: Double) -> Bool in
            zip(places, told).allSatisfy { place, told in abs(told / level - place) < tolerance }
        }
    }

    @Test(arguments: [UInt64(4_044), 5_044])
    func `In four quarters a sudden change of the tempo is found by the notes, or there is a warning`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (right, warned, silent) = (0, 0, 0)
        for round in 0..<100 {
            let slow = Double.random(in: 60...110, using: &generator)
            let pair = [slow, slow * Double.random(in: 1.12...1.6, using: &generator)].shuffled(using: &generator)
            let (first, second) = (pair[0], pair[1])
            let bars = Int.random(in: 12...24, using: &generator)
            let change = 4 * Double(Int.random(in: bars / 3...2 * bars / 3, using: &generator))
            let places = melody.places(
                bars: bars, of: [Self.plain, Self.rich, Self.triplets, Self.plain][round % 4], &generator)
            let scatter = [0.003, 0.008, 0.012][round % 3]
            let starts = melody.seconds(places, (first, second), at: change, scatter: scatter, &generator).sorted()
            // Without a grid there is a warning.
            guard let grid = MelodyGrid(starts: starts, found: GeneratedMelody.silence, meter: four) else {
                print("round \(round): \(first) to \(second), no grid")
                continue
            }
            if isRight(grid, places, starts, tempo: max(first, second)) {
                right += 1
                if grid.warns(starts) { warned += 1 }
                #expect(grid.changes.count == 1, "round \(round)")
            } else {
                if !grid.warns(starts) { silent += 1 }
                print(
                    "round \(round): \(first) to \(second) at \(change), \(grid.tempo) \(grid.changes)",
                    grid.stray(starts) as Any, grid.ambiguous)
            }
        }
        print(
            "seed \(seed): \(right) of 100 changes in 4/4 right to the last note, \(warned) of them with a warning; "
                + "\(silent) wrong without one")
        // Where the tempi are as 3 to 2, or as 3 to 4 at half the tempo, the notes round the change may keep to both.
        #expect(right >= 93 && warned <= 5 && silent <= 3)
    }

    @Test func `In four quarters a steady player is not told of a change, nor that notes leave the beat`() {
        let seed: UInt64 = 4_045
        var generator = SeededGenerator(seed: seed)
        var (right, warned) = (0, 0)
        for round in 0..<100 {
            let tempo = Double.random(in: 60...150, using: &generator)
            let places = melody.places(bars: 16, of: [Self.plain, Self.rich, Self.triplets][round % 3], &generator)
            let scatter = [0.003, 0.008, 0.012][round / 3 % 3]
            let starts = melody.seconds(places, (tempo, tempo), at: 0, scatter: scatter, &generator).sorted()
            guard let grid = MelodyGrid(starts: starts, found: GeneratedMelody.silence, meter: four) else {
                print("round \(round): \(tempo), no grid")
                continue
            }
            if grid.warns(starts) { warned += 1 }
            if grid.changes.isEmpty, isRight(grid, places, starts, tempo: tempo) {
                right += 1
            } else {
                print("round \(round): \(tempo), \(grid.tempo) \(grid.changes)", grid.warns(starts))
            }
        }
        print("seed \(seed): \(right) of 100 steady in 4/4 right, \(warned) with a warning")
        #expect(right >= 97 && warned <= 3)
    }

    /// Bars of 4/4 whose eighths are swung, in beats.
    private static let long = 2 / 3.0
    private static let swung: [[Double]] = [
        [1, 1, 1, 1], [2, 1, 1], [1, long, third, 1, 1], [long, third, long, third, 1, 1], [1 + long, third, 1, 1],
        [1, 1, 2],
        [long, third, long, third, long, third, long, third], [long, 1, third, 1, 1],
    ]

    @Test(arguments: [UInt64(4_048), 5_048])
    func `Swung eighths are not taken for straight ones of beats faster by a half`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (right, warned, silent) = (0, 0, 0)
        for round in 0..<100 {
            let tempo = Double.random(in: 60...170, using: &generator)
            let places = melody.places(bars: 16, of: Self.swung, &generator)
            let scatter = [0.003, 0.008, 0.012][round % 3]
            let starts = melody.seconds(places, (tempo, tempo), at: 0, scatter: scatter, &generator).sorted()
            let around = round % 4 == 0 ? tempo.rounded() : nil
            guard let grid = MelodyGrid(starts: starts, found: GeneratedMelody.silence, around: around, meter: four)
            else {
                print("round \(round): \(tempo), no grid")
                continue
            }
            let isRight = grid.changes.isEmpty && isRight(grid, places, starts, tempo: tempo)
            if isRight { right += 1 }
            if isRight, grid.warns(starts) { warned += 1 }
            if !isRight {
                if !grid.warns(starts) { silent += 1 }
                print(
                    "round \(round): \(tempo) around \(around ?? 0), \(grid.tempo) \(grid.changes)", grid.warns(starts))
            }
        }
        print(
            "seed \(seed): \(right) of 100 swung right, \(warned) of them with a warning; \(silent) wrong without one")
        #expect(right >= 97 && warned <= 3 && silent <= 1)
    }

    @Test func `Notes at random have no beat of quarters, or there is a warning`() {
        let seed: UInt64 = 4_047
        var generator = SeededGenerator(seed: seed)
        var (found, silent) = (0, 0)
        for _ in 0..<100 {
            let starts = GeneratedMelody.atRandom(&generator)
            guard let grid = MelodyGrid(starts: starts, found: GeneratedMelody.silence, meter: four) else { continue }
            found += 1
            if !grid.warns(starts) { silent += 1 }
        }
        print("seed \(seed): a grid in \(found) of 100 with notes at random, \(silent) without a warning")
        #expect(silent == 0)
    }
}
