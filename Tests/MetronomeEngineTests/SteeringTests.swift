import MetronomeEngine
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

/// A metronome that is led from beat to beat.
@Suite struct SteeringTests {
    @Test func `A stopped metronome begins at the frame it is told, with the first beat of its plan`() throws {
        let (samples, strokes) = try rendering(try plan("100"), frames: 200_000, blocks: [512]) { turn, control in
            if turn == 0 { control.stop() }
            if turn == 40 { control.steer(BeatSteering(frame: 30_000, period: 24_000)) }
        }
        #expect(strokes.map(\.frame) == stride(from: 30_000, to: 200_000, by: 24_000).map { $0 })
        #expect(strokes.first?.bar == 1 && strokes.first?.beat == 1)
        #expect(samples[..<30_000].allSatisfy { $0 == 0 } && samples[30_000..<30_100].contains { $0 != 0 })
        #expect(strokes.allSatisfy { abs($0.tempo - 120) < 1e-9 })
    }

    @Test func `The next beat lies where it is put, and the parts before it divide the beat evenly`() throws {
        var options = PlanOptions(tempo: TempoNotation(try Tempo(120)))
        options.subdivision = try Subdivision(4)
        let (_, strokes) = try rendering(try options.plan(), frames: 120_000, blocks: [500]) { turn, control in
            // Right after the beat at 48,000, whose interval is 24,000.
            if turn == 97 { control.steer(BeatSteering(frame: 72_600, period: 24_600)) }
        }
        let beats = strokes.filter(\.isBeat).map(\.frame)
        #expect(beats == [0, 24_000, 48_000, 72_600, 97_200])
        #expect(strokes.filter { $0.bar == 1 && $0.beat == 3 }.map(\.frame) == [48_000, 54_150, 60_300, 66_450])
    }

    @Test func `An interval differs from the last one by no more than the share that is named`() throws {
        let (_, strokes) = try rendering(try plan("120"), frames: 150_000, blocks: [1_000]) { turn, control in
            if turn == 30 { control.steer(BeatSteering(frame: 60_000, period: 30_000)) }
        }
        // 3 % more than 24,000 frames; then the period that came of it.
        #expect(strokes.map(\.frame).prefix(4) == [0, 24_000, 48_720, 73_440])
    }

    @Test func `Whenever a command comes, no stroke is doubled, lost or misplaced`() throws {
        let seed: UInt64 = 81
        print("commands from seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for turn in 0..<120 {
            let parts = Int.random(in: 1...4, using: &random)
            let block = Int.random(in: 17...900, using: &random)
            var options = PlanOptions(tempo: TempoNotation(try Tempo(Int64.random(in: 60...200, using: &random))))
            options.subdivision = try Subdivision(parts)
            var period = 48_000 * 60 / options.tempo.points[0].beatsPerMinute.value
            var (sent, refused) = (0, 0)
            let (_, strokes) = try rendering(try options.plan(), frames: 480_000, blocks: [block]) { call, control in
                guard Int.random(in: 0..<8, using: &random) == 0 else { return }
                period *= Double.random(in: 0.98...1.02, using: &random)
                let frame = Double(call * block) + Double.random(in: -0.3...1.3, using: &random) * period
                sent += 1
                if !control.steer(BeatSteering(frame: frame, period: period)) { refused += 1 }
            }
            #expect(sent > 10 && refused == 0)
            let beats = strokes.filter(\.isBeat)
            for (n, beat) in beats.enumerated() {
                #expect(Int(beat.bar - 1) * 4 + Int(beat.beat) - 1 == n, "case \(turn)")
            }
            for n in 2..<beats.count {
                let (before, interval) = (beats[n - 1].frame - beats[n - 2].frame, beats[n].frame - beats[n - 1].frame)
                // Two frames: each of the three is rounded.
                #expect(abs(Double(interval - before)) <= 0.03 * Double(before) + 2, "case \(turn), beat \(n)")
            }
            for (stroke, next) in zip(strokes, strokes.dropFirst()) {
                #expect(next.frame > stroke.frame, "case \(turn): \(stroke.frame) and \(next.frame)")
            }
            for beat in beats.dropLast() {
                let inBeat = strokes.filter { $0.bar == beat.bar && $0.beat == beat.beat }
                #expect(inBeat.map(\.part) == (0..<Int32(parts)).map { $0 }, "case \(turn)")
            }
        }
    }
}
