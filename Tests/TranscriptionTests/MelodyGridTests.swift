import Music
import TestNotes
import TestSignals
import Testing
import Transcription

@Suite struct MelodyGridTests {
    private let four = MelodyGrid.Meter(beats: 4, value: 4)

    /// Beats as a tracker tells them: at the notes on them.
    private func heard(_ seconds: [Double], tempo: Double) -> [HeardBeat] {
        seconds.map { HeardBeat(seconds: $0, period: 60 / tempo) }
    }

    /// The lateness of each note on a grid, in milliseconds.
    private func late(_ tones: [MelodyTone], _ grid: MelodyGrid) -> [Double] {
        tones.map { ($0.start.inSeconds - grid.time(of: grid.place(of: $0).position)) * 1_000 }
    }

    @Test func `At a steady tempo the lateness of each note is told to a millisecond`() throws {
        var generator = SeededGenerator(seed: 11)
        for round in 0..<100 {
            let tempo = Double.random(in: 60...160, using: &generator)
            let places = (0..<96).map { 0.5 * Double($0) }
            let known = places.map { _ in 0.008 * normal(&generator) }
            let tones = playedTones(at: places, tempo: tempo, late: { known[$0] })
            let beats = stride(from: 0, to: tones.count, by: 2).map { tones[$0].start.inSeconds }
            let grid = try #require(MelodyGrid(tones, heard: heard(beats, tempo: tempo), meter: four), "round \(round)")
            // The standard error of a line through 96 notes of 8 ms: 1.6 ms at its ends; four of them.
            let line = Self.residuals(places, known)
            for (told, expected) in zip(late(tones, grid), line) {
                #expect(abs(told - 1_000 * expected) < 0.01 + 6.5, "round \(round)")
            }
            let exact = zip(late(tones, grid), line).map { abs($0 - 1_000 * $1) }.reduce(0, +) / 96
            #expect(exact < 1, "round \(round): \(exact) ms at \(tempo)")
            #expect(abs(grid.tempo / tempo - 1) < 0.005)
        }
    }

    /// What remains of known lateness when a straight line through it is taken away: the tempo and the mean are the player's.
    private static func residuals(_ x: [Double], _ y: [Double]) -> [Double] {
        let n = Double(x.count)
        let (meanX, meanY) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
        let slope =
            zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
            / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        return zip(x, y).map { $1 - meanY - slope * ($0 - meanX) }
    }

    @Test func `A tempo that rises is followed, and a beat that is late in each bar still is`() throws {
        // From 80 to 120 in 96 beats: beats by the closed form of a linear tempo.
        let (first, rise) = (80.0 / 60, (120.0 - 80) / 60 / 60)
        func time(_ beat: Double) -> Double { ((first * first + 2 * rise * beat).squareRoot() - first) / rise }
        var tones = playedTones(at: (0..<96).map(Double.init), tempo: 60)
        for index in tones.indices {
            let start = 0.5 + time(Double(index)) + (index % 4 == 2 ? 0.02 : 0)
            (tones[index].start, tones[index].end) = (.seconds(start), .seconds(start + 0.3))
        }
        let beats = (0..<96).map {
            HeardBeat(
                seconds: tones[$0].start.inSeconds, period: 1 / (first * first + 2 * rise * Double($0)).squareRoot())
        }
        let grid = try #require(MelodyGrid(tones, heard: beats, meter: four))
        let told = late(tones, grid)
        let third = stride(from: 10, to: 86, by: 4).map { told[$0] }
        let others = (8..<88).filter { $0 % 4 != 2 }.map { told[$0] }
        // Relative to the mean: 15 and -5. A parabola follows the course of 24 beats to 2 ms.
        #expect(third.allSatisfy { abs($0 - 15) < 2 }, "\(third)")
        #expect(others.allSatisfy { abs($0 + 5) < 2 }, "\(others)")
    }

    @Test func `After a pause of any length the notes are on the beat again`() throws {
        var tones = playedTones(at: (0..<64).map(Double.init), tempo: 100)
        for index in 32..<64 {
            tones[index].start += .seconds(3.37)
            tones[index].end += .seconds(3.37)
        }
        let grid = try #require(MelodyGrid(tones, heard: heard(tones.map(\.start.inSeconds), tempo: 100), meter: four))
        #expect(late(tones, grid).allSatisfy { abs($0) < 1 }, "\(late(tones, grid))")
    }

    @Test func `A sudden change of the tempo is found where it is, although the tracker notices it late`() throws {
        var generator = SeededGenerator(seed: 21)
        var right = 0
        for round in 0..<100 {
            let slow = Double.random(in: 55...100, using: &generator)
            let pair = [slow, slow * Double.random(in: 1.12...1.8, using: &generator)].shuffled(using: &generator)
            let (first, second) = (pair[0], pair[1])
            // Sixteen bars of usual rhythms, a change after eight of them.
            let rhythms = [[0.0, 1], [0, 0.5, 1], [0], [0, 1.5], [0, 0.5, 1, 1.5]]
            let places = (0..<32).flatMap { half in
                (rhythms.randomElement(using: &generator) ?? [0]).map { 2 * Double(half) + $0 }
            }
            func time(_ beat: Double) -> Double {
                0.5 + (beat < 32 ? beat * 60 / first : 32 * 60 / first + (beat - 32) * 60 / second)
            }
            let starts = places.map { time($0) + 0.004 * normal(&generator) }
            // For four seconds the tracker hears what happens to lie near the old beats.
            let late = time(32) + 4
            let beats = zip(places, starts).compactMap { place, start -> HeardBeat? in
                let old = (start - 0.5) * first / 60
                if start < late {
                    return abs(old - old.rounded()) < 0.03 ? HeardBeat(seconds: start, period: 60 / first) : nil
                }
                return place == place.rounded() ? HeardBeat(seconds: start, period: 60 / second) : nil
            }
            guard let grid = MelodyGrid(starts: starts, heard: beats, meter: four) else {
                print("round \(round): \(first) to \(second), no grid")
                continue
            }
            let told = starts.map { grid.position(of: $0) }
            let isRight = zip(told, places).allSatisfy { abs($0 - $1) < 0.125 }
            if isRight { right += 1 }
            if isRight, let change = grid.changes.first {
                #expect(grid.changes.count == 1 && abs(change.beat - 32) < 1, "round \(round)")
                #expect(abs(change.tempo / second - 1) < 0.02 && abs(grid.tempo / first - 1) < 0.01)
            }
            if !isRight { print("round \(round): \(first) to \(second), \(grid.changes)") }
        }
        print("sudden changes: \(right) of 100 right to the last note")
        // Of random tempi some are so near 3 to 2 or 4 to 3 that the notes between may keep to both.
        #expect(right >= 95)
    }

    @Test func `Notes that leave the beat are told, and those of a steady player are not`() throws {
        var generator = SeededGenerator(seed: 22)
        var (missed, told) = (0, 0)
        for _ in 0..<100 {
            let tempo = Double.random(in: 60...150, using: &generator)
            let places = (0..<80).map { 0.5 * Double($0) }
            let starts = places.map { 0.5 + $0 * 60 / tempo + 0.006 * normal(&generator) }
            let beats = heard(stride(from: 0, to: 80, by: 2).map { starts[$0] }, tempo: tempo)
            let grid = try #require(MelodyGrid(starts: starts, heard: beats, meter: four))
            if grid.stray(starts) != nil { told += 1 }
            // The last 24 notes at random, and no beat heard there.
            var time = starts[56]
            let loose =
                starts[...56]
                + (57..<80).map { _ in
                    time += Double.random(in: 0.2...1.2, using: &generator)
                    return time
                }
            let fewer = heard(stride(from: 0, to: 56, by: 2).map { starts[$0] }, tempo: tempo)
            // Without a grid there is a warning, too.
            guard let other = MelodyGrid(starts: Array(loose), heard: fewer, meter: four) else { continue }
            guard let stray = other.stray(Array(loose)) else {
                missed += 1
                continue
            }
            #expect(stray.upperBound > starts[56])
        }
        print("leaving the beat: not told \(missed) of 100; told of a steady player \(told) of 100")
        #expect(missed <= 5 && told == 0)
    }

    @Test func `Notes at random have no beat, however many`() {
        var generator = SeededGenerator(seed: 5)
        var found = 0
        for _ in 0..<100 {
            var place = 0.0
            let places = (0..<80).map { _ in
                place += Double.random(in: 0.2...1.4, using: &generator)
                return place
            }
            let tones = playedTones(at: places, tempo: 100)
            // A tracker's beats at notes that happen to lie near them.
            let starts = tones.map(\.start.inSeconds)
            let beats = (0..<60).compactMap { beat in starts.first { abs($0 - 0.5 - 0.6 * Double(beat)) < 0.02 } }
            if MelodyGrid(tones, heard: heard(beats, tempo: 100), meter: four) != nil { found += 1 }
        }
        print("random notes: a grid in \(found) of 100")
        #expect(found <= 2)
        #expect(MelodyGrid([], heard: [], meter: four) == nil)
    }

    @Test func `A given tempo holds the player to it: who rushes is ever earlier`() throws {
        let tones = playedTones(at: (0..<20).map(Double.init), tempo: 101)
        let grid = try #require(MelodyGrid(tones, tempo: 100, meter: four))
        let told = late(tones, grid)
        // 19 beats at 101 are 0.113 s shorter than at 100.
        #expect(abs(told[0] - told[19] - 1_000 * 19 * (0.6 - 60 / 101.0)) < 1e-6)
        #expect(abs(told.reduce(0, +)) < 1e-6)
    }

    @Test func `Bars follow the meter, and six eighths are two beats that are heard`() throws {
        let places = (0..<72).map { Double($0) }
        let tones = playedTones(at: places, tempo: 240)
        let meter = MelodyGrid.Meter(beats: 6, value: 8)
        let beats = stride(from: 0, to: 72, by: 3).map { tones[$0].start.inSeconds }
        let grid = try #require(MelodyGrid(tones, heard: heard(beats, tempo: 80), meter: meter))
        #expect(tones.indices.allSatisfy { grid.place(of: tones[$0]) == MelodyPlace(beat: $0) })
        #expect(grid.bar(ofBeat: 13) == 3 && grid.bar(ofBeat: -1) == 0 && grid.firstBeat(ofBar: 3) == 12)
        #expect(abs(grid.tempo - 80) < 0.01)
    }
}
