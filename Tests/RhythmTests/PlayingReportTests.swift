import Foundation
import Music
import Notation
import Rhythm
import TestSignals
import Testing
import Timebase

/// The points of a plan, as an engine would tell them.
private func points(
    _ plan: PracticePlan, bars: Int, sampleRate: Double = 48_000
) throws -> [GridPoint] {
    var strokes = try PlanStrokes(plan, sampleRate: sampleRate.hertz)
    var points: [GridPoint] = []
    while let stroke = strokes.next(), stroke.bar <= bars {
        points.append(GridPoint(stroke, playedBar: stroke.bar - 1))
    }
    return points
}

private func plan(gap: GapPlan? = nil, subdivision: Subdivision = .whole) throws -> PracticePlan {
    var plan = try PracticePlan(
        tempo: Tempo(120), accents: AccentPattern(parsing: "4"), subdivision: subdivision)
    plan.gap = gap
    return plan
}

private func report(_ points: [GridPoint], late: (Int, GridPoint) -> Double?) -> PlayingReport {
    var report = PlayingReport()
    for (index, point) in points.enumerated() {
        if let late = late(index, point) { report.add(PlayedNote(at: point, late: late)) }
        report.add(point)
    }
    return report
}

@Suite struct PlayingReportTests {
    @Test func `Mean, spread and their errors are those of the textbook`() throws {
        let points = try points(plan(), bars: 1)
        let timing = try #require(report(points) { index, _ in [0.001, 0.003, 0.005, 0.007][index] }.timing)
        #expect(timing.count == 4)
        // Mean 4 ms; squares 9 + 1 + 1 + 9 = 20 ms², over n - 1 = 3.
        let spread = (20.0 / 3).squareRoot()
        #expect(abs(timing.mean.inSeconds * 1_000 - 4) < 1e-9)
        #expect(abs(try #require(timing.spread).inSeconds * 1_000 - spread) < 1e-9)
        #expect(abs(timing.meanError.inSeconds * 1_000 - spread / 2) < 1e-9)
        #expect(abs(try #require(timing.spreadError).inSeconds * 1_000 - spread / 6.0.squareRoot()) < 1e-9)
    }

    @Test func `A player who gains 0.8 ms each bar rushes by 0.8 ms a bar`() throws {
        let report = report(try points(plan(), bars: 16)) { _, point in 0.004 - 0.0008 * point.bars }
        let tendency = try #require(report.tendency)
        #expect(abs(tendency.perBar.inSeconds * 1_000 + 0.8) < 1e-9)
        #expect(tendency.standardError < .microseconds(1) && tendency.isCertain)
    }

    @Test func `Within two standard errors there is no tendency, in 95 of 100 steady takes`() throws {
        let seed: UInt64 = 1_505
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let points = try points(plan(), bars: 32)
        var certain = 0
        for _ in 0..<100 {
            let report = report(points) { _, _ in 0.002 + 0.01 * random.normal() }
            if try #require(report.tendency).isCertain { certain += 1 }
        }
        // Binomial of 100 and 0.046: 13 and more are four standard deviations above it.
        #expect(certain <= 12 && certain >= 1, "\(certain)")
    }

    @Test func `Mean, spread and tendency of 100 random takes lie within four of their standard errors`() throws {
        let seed: UInt64 = 1_506
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for take in 0..<100 {
            let bars = Int.random(in: 4...40, using: &random)
            let (mean, slope) = (0.02 * random.normal(), 0.001 * random.normal())
            let spread = random.logUniform(0.001, 0.02)
            let report = report(try points(plan(), bars: bars)) { _, point in
                mean + slope * (point.bars - Double(bars) / 2) + spread * random.normal()
            }
            let tendency = try #require(report.tendency)
            #expect(
                abs(tendency.perBar.inSeconds - slope) < 4 * tendency.standardError.inSeconds, "take \(take)")
            let timing = try #require(report.timing)
            // The middle of the grid is that of the tendency, but for half of a beat.
            let exact = mean - slope / 8
            #expect(abs(timing.mean.inSeconds - exact) < 4.2 * timing.meanError.inSeconds, "take \(take)")
            // The spread holds that of the tendency too: (bars)²/12 of its slope.
            let whole = (spread * spread + slope * slope * Double(bars * bars) / 12).squareRoot()
            let error = try #require(timing.spreadError).inSeconds
            #expect(abs(try #require(timing.spread).inSeconds - whole) < 4.2 * error, "take \(take)")
        }
    }

    @Test func `A place that is played at least half of the times has missed notes, another has none`() throws {
        // Beats 1 and 3 are played, 3 without bar 5; of the others a single note.
        let report = report(try points(plan(), bars: 8)) { _, point in
            let stroke = point.stroke
            if stroke.beat == 1 { return 0.002 }
            if stroke.beat == 3 { return stroke.bar == 5 ? nil : 0.006 }
            return stroke.beat == 4 && stroke.bar == 2 ? 0.01 : nil
        }
        let positions = report.positions
        #expect(positions.map(\.position.beat) == [1, 3, 4])
        #expect(positions.map(\.hits) == [8, 7, 1])
        #expect(positions.map(\.missed) == [0, 1, 0])
        #expect(report.missedCount == 1 && report.extraCount == 0)
        #expect(abs(try #require(positions[1].timing).mean.inSeconds - 0.006) < 1e-12)
    }

    @Test func `Muted bars are told apart, with the drift at their end`() throws {
        let gap = try GapPlan(parsing: "2:2")
        let report = report(try points(plan(gap: gap), bars: 8)) { _, point in
            guard point.stroke.isMuted else { return 0.003 }
            // 2 ms more each beat.
            let beat = Double((point.stroke.bar - 1) % 4 - 2) * 4 + Double(point.stroke.beat)
            return 0.003 + 0.002 * beat
        }
        #expect(report.bars.map(\.isMuted) == [false, false, true, true, false, false, true, true])
        let runs = report.mutedRuns
        #expect(runs.map(\.bars) == [2, 2] && runs.map(\.firstBar) == [2, 6] && runs.map(\.notes) == [8, 8])
        for run in runs {
            #expect(abs(try #require(run.lateAtEnd).inSeconds - 0.019) < 1e-12)
            #expect(abs(try #require(run.drift).inSeconds - 0.016) < 1e-12)
        }
        // They are not part of the figures at points that are heard.
        #expect(abs(try #require(report.timing).mean.inSeconds - 0.003) < 1e-12)
        #expect(report.mutedTiming?.count == 16)
    }

    @Test func `Soft attacks are a trend, and their common uncertainty stays in the mean`() throws {
        var report = PlayingReport()
        for point in try points(plan(), bars: 25) {
            report.add(PlayedNote(at: point, late: 0.01, standardError: 0.008, kind: .soft))
        }
        let timing = try #require(report.timing)
        #expect(report.isTrend && timing.count == 100)
        #expect(abs(timing.meanError.inSeconds - 0.008) < 1e-9)
    }

    @Test func `Three notes, two of which are hardly known, have no tendency`() throws {
        var report = PlayingReport()
        for (index, point) in try points(plan(), bars: 1).enumerated() where index < 3 {
            report.add(
                PlayedNote(at: point, late: 0, standardError: index == 0 ? 0.000_1 : 0.02, kind: .soft))
        }
        #expect(report.timing != nil && report.tendency == nil)
    }

    @Test func `A soft attack counts as much as it is certain`() throws {
        var report = PlayingReport()
        // 16 sharp notes, 10 ms late with a spread of 2 ms, and 16 soft ones at 20 ms, known to 20 ms.
        for (index, point) in try points(plan(), bars: 8).enumerated() {
            report.add(
                index < 16
                    ? PlayedNote(at: point, late: index % 2 == 0 ? 0.008 : 0.012, standardError: 0.000_1)
                    : PlayedNote(at: point, late: 0.02, standardError: 0.02, kind: .soft))
        }
        // The closed form: w = v/(v + u²) of the soft ones; v and the mean m solve
        // m = (10 + 20w)/(1 + w) ms and v = 32/31 (4 + (m - 10)² + w (20 - m)²)/(1 + w) ms².
        var (m, v) = (10.0, 4.0)
        for _ in 0..<50 {
            let w = (v + 0.01) / (v + 400)
            m = (10 + 20 * w) / (1 + w)
            v = 32 / 31 * (4 + (m - 10) * (m - 10) + w * (20 - m) * (20 - m)) / (1 + w)
        }
        let timing = try #require(report.timing)
        #expect(m < 10.3)
        // Six rounds are within a tenth of a percent of the end.
        #expect(abs(timing.mean.inSeconds * 1_000 - m) < 0.01, "\(timing.mean) \(m)")
        #expect(abs(try #require(timing.spread).inSeconds * 1_000 - v.squareRoot()) < 0.05, "\(timing) \(v)")
        #expect(!report.isTrend)
    }

    @Test func `Notes of the count-in do not count, and one note has no spread`() throws {
        var plan = try plan()
        plan.countIn = .bars(1)
        let points = try points(plan, bars: 1)
        #expect(points.count == 8)
        let report = report(points) { index, _ in index < 5 ? 0.001 : nil }
        #expect(report.notes.count == 1)
        #expect(report.timing?.spread == nil && report.tendency == nil)
    }

    /// Notes of all kinds: flams, soft attacks, muted bars, notes beside the grid, beats without one.
    private func randomTake(bars: Int, seed: UInt64, into reports: inout [PlayingReport]) throws {
        var random = SeededGenerator(seed: seed)
        let points = try points(
            plan(gap: GapPlan(parsing: "3:2"), subdivision: Subdivision(parsing: "8th")), bars: bars)
        let softShare = Double.random(in: 0...0.7, using: &random)
        for point in points {
            var notes: [PlayedNote] = []
            if Double.random(in: 0...1, using: &random) < 0.6 {
                let kind: Onset.Kind = Double.random(in: 0...1, using: &random) < softShare ? .soft : .sharp
                notes.append(
                    PlayedNote(
                        at: point, late: 0.004 + 0.01 * random.normal(),
                        standardError: kind == .soft ? Double.random(in: 0.000_8...0.02, using: &random) : 0.000_3,
                        kind: kind,
                        isExtra: Int.random(in: 0..<10, using: &random) == 0))
                if Int.random(in: 0..<8, using: &random) == 0 {
                    notes.append(PlayedNote(at: point, late: 0.01 * random.normal(), kind: kind))
                }
            }
            for index in reports.indices {
                for note in notes { reports[index].add(note) }
                reports[index].add(point)
            }
        }
    }

    @Test func `The figures of 100 random takes are those of their notes, looked at all at once`() throws {
        let seed: UInt64 = 1_911
        print("seed \(seed)")
        for take in 0..<100 {
            var reports = [PlayingReport()]
            try randomTake(bars: 4 + take, seed: seed + UInt64(take), into: &reports)
            let report = reports[0]
            let hits = report.hits
            let isTrend = 2 * hits.count { $0.kind == .sharp } < hits.count
            #expect(report.isTrend == isTrend && report.hitCount == hits.count)
            #expect(report.extraCount == report.notes.count - hits.count && report.noteCount == report.notes.count)
            expectSame(report.timing, LatenessStatistics(hits.filter { !$0.isMuted }))
            expectSame(report.mutedTiming, LatenessStatistics(hits.filter(\.isMuted)))
            for position in report.positions {
                let own = hits.filter { PlayingReport.Position($0.point.stroke) == position.position }
                expectSame(position.timing, LatenessStatistics(own.filter { !$0.isMuted }))
                let (first, last) = (try #require(hits.first).point.instant, try #require(hits.last).point.instant)
                let came = report.points.count {
                    PlayingReport.Position($0.stroke) == position.position && $0.instant >= first && $0.instant <= last
                }
                #expect(position.points == max(came, position.hits), "take \(take)")
            }
            for run in report.mutedRuns {
                let own = hits.filter { (run.firstBar..<run.firstBar + Int64(run.bars)).contains($0.point.playedBar) }
                #expect(run.notes == own.count && run.lateAtEnd == own.last?.lateness)
            }
            let after = report.mutedRuns(after: 7)
            #expect(after == report.mutedRuns.filter { $0.firstBar > 7 } || after.first?.firstBar == 8)
        }
    }

    @Test func `A report that keeps few notes has the same figures, and memory for no more`() throws {
        var reports = [PlayingReport(), PlayingReport(keeping: 100)]
        try randomTake(bars: 2_000, seed: 1_912, into: &reports)
        let (whole, short) = (reports[0], reports[1])
        #expect(whole.notes.count == whole.noteCount && short.noteCount == whole.noteCount)
        #expect(short.notes.count <= 113 && short.points.count <= 113 && short.bars.count <= 113)
        #expect(short.timing == whole.timing && short.mutedTiming == whole.mutedTiming)
        #expect(short.tendency == whole.tendency && short.positions == whole.positions)
        #expect(short.hitCount == whole.hitCount && short.missedCount == whole.missedCount)
        #expect(short.mutedRuns.last == whole.mutedRuns.last)
    }

    /// Within rounding: sums of some hundred numbers of some milliseconds.
    private func expectSame(_ one: LatenessStatistics?, _ other: LatenessStatistics?) {
        func seconds(_ time: Duration?) -> Double { time?.inSeconds ?? -1 }
        #expect(one?.count == other?.count)
        #expect(abs(seconds(one?.mean) - seconds(other?.mean)) < 1e-12)
        #expect(abs(seconds(one?.spread) - seconds(other?.spread)) < 1e-12)
        #expect(abs(seconds(one?.meanError) - seconds(other?.meanError)) < 1e-12)
    }
}
