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
}
