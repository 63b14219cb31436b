import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct PlanGridTests {
    /// The strokes of a grid up to a bar.
    private func strokes(of grid: PlanGrid, upTo bar: Int64 = .max) throws -> [BeatEvent] {
        var all = PlanStrokes(try BeatSchedule(grid, sampleRate: 48.kilohertz))
        var strokes: [BeatEvent] = []
        while let stroke = all.next(), stroke.bar <= bar { strokes.append(stroke) }
        return strokes
    }

    @Test func `An endless repeat that is cut off plays what the same bars written out play`() throws {
        let seed: UInt64 = 41
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let entries = ["v: 2 120", "1 7/8 140 X..x.x.", "3 3/4 80..120", "2 8=97.3", "1 4/4 100,110,120,130"]
        for turn in 0..<100 {
            func lines(_ count: Int) -> [String] {
                (0..<count).map { _ in
                    (Bool.random(using: &random) ? "#: gap=1:1 sub=2\n" : "")
                        + entries[Int.random(in: 0..<entries.count, using: &random)]
                }
            }
            let (before, round) = (
                lines(Int.random(in: 0...2, using: &random)), lines(Int.random(in: 1...3, using: &random))
            )
            let head = ["#!metronome 2"] + before
            var map = [head + ["repeat * {"] + round + ["}"], head + ["repeat 40 {"] + round + ["}"]].map {
                $0.joined(separator: "\n")
            }
            if turn.isMultiple(of: 3) { map = map.map { $0 + "\n#: @file gap=2:1 countin=1" } }
            let (endless, written) = (
                try TempoMap.sections(parsing: map[0], file: "a", seed: 1),
                try TempoMap.sections(parsing: map[1], file: "b", seed: 1)
            )
            let last = Int64.random(in: 1...30, using: &random)
            var (cut, whole) = (endless.plan, written.plan)
            cut.end = .bars(last)
            if turn.isMultiple(of: 2) {
                (cut.entryBar, whole.entryBar) = (max(1, last / 2), max(1, last / 2))
            }
            let (found, exact) = (
                try strokes(of: endless.playing(cut)), try strokes(of: written.playing(whole), upTo: last)
            )
            func bare(_ stroke: BeatEvent) -> BeatEvent {
                // Which entry of the text it is.
                var stroke = stroke
                stroke.section = 0
                return stroke
            }
            #expect(found.map(bare) == exact.map(bare) && found.last?.bar == last, "\(map[0]) up to \(last)")
            #expect(try endless.playing(cut).labels.allSatisfy { $0.bar <= last })
        }
    }

    @Test func `A grid at another speed is that of the plan at this speed`() throws {
        var map = try PracticePlan(tempoMap: "a: 2 120\nb: 4 3/4 100-140\n2 97.3\n", file: "song")
        map.countIn = .bars(1)
        for factor in [Ratio(4, 5), Ratio(3, 2), Ratio(1_000_001, 1_000_000)] {
            let factor = try #require(factor)
            let (scaled, plan) = (try PlanGrid(map).scaled(by: factor), try #require(map.scaled(by: factor)))
            #expect(try strokes(of: #require(scaled)) == strokes(of: PlanGrid(plan)))
        }
    }

    @Test func `What is cut off needs no voice and no headroom`() throws {
        let sections = try TempoMap.sections(
            parsing: "2 120\n#: poly=3:4\n2 120 X.xx 4", file: "loud", seed: 1)
        var plan = sections.plan
        plan.end = .bars(2)
        let quiet = try PlanGrid(PracticePlan(tempoMap: "2 120", file: "quiet"))
        let cut = try BeatSchedule(sections.playing(plan), sampleRate: 48.kilohertz)
        let alone = try BeatSchedule(quiet, sampleRate: 48.kilohertz)
        #expect(cut.layerCount == 1 && alone.layerCount == 1)
        let gains = LevelAmplitudes { $0 == .silent ? 0 : 1 }
        #expect(cut.loudestStroke(gains: gains, part: 1) == alone.loudestStroke(gains: gains, part: 1))
        #expect(cut.endFrame == alone.endFrame)
    }
}
