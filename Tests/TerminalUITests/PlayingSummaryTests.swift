import Foundation
import Music
import Notation
import Rhythm
import TerminalUI
import Testing
import Timebase

@Suite struct PlayingSummaryTests {
    /// Four bars of four beats at 120; beat 2 early, beat 4 late.
    private func report() throws -> PlayingReport {
        let plan = try PracticePlan(tempo: Tempo(120))
        var strokes = try PlanStrokes(plan, sampleRate: 48_000.hertz)
        var report = PlayingReport()
        while let stroke = strokes.next(), stroke.bar <= 4 {
            let point = GridPoint(stroke, playedBar: stroke.bar - 1)
            report.add(PlayedNote(at: point, late: stroke.beat == 2 ? -0.004 : stroke.beat == 4 ? 0.012 : 0.002))
            report.add(point)
        }
        return report
    }

    @Test func `A calibrated summary tells the mean, each beat, and early from late`() throws {
        let summary = PlayingSummary(report: try report(), isAbsolute: true, sampleRate: 48_000)
        let lines = summary.text.split(separator: "\n").map(String.init)
        #expect(lines[0] == "notes     16 at a beat, 0 missed, 0 extra")
        // (2 - 4 + 2 + 12) / 4 ms.
        #expect(lines[1].hasPrefix("mean      3.0 ms late"))
        #expect(lines.contains { $0.contains("2") && $0.contains("-4.0") })
        #expect(lines.contains { $0.contains("4") && $0.contains("+12.0") })
        #expect(lines.allSatisfy { $0.count <= 80 })
        let note = try #require(summary.report.notes.first)
        #expect(summary.csv(note) == "0.000000,1,1,0,0,2.000,0.300,0.000,sharp,false,false,true")
        #expect(PlayingSummary.csvHeader.split(separator: ",").count == 12)
    }

    @Test func `Without a known latency lateness is relative to the mean`() throws {
        let summary = PlayingSummary(report: try report(), isAbsolute: false, sampleRate: 48_000)
        #expect(summary.text.contains("mean      not known: the latency is not calibrated"))
        #expect(!summary.json.contains("mean_ms\":3"))
        #expect(abs(summary.late(try #require(summary.report.notes.first)) + 1) < 1e-9)
    }

    @Test func `Where bars are muted each bar is told, and JSON has all of them`() throws {
        var plan = try PracticePlan(tempo: Tempo(120))
        plan.gap = try GapPlan(parsing: "1:1")
        var strokes = try PlanStrokes(plan, sampleRate: 48_000.hertz)
        var report = PlayingReport()
        while let stroke = strokes.next(), stroke.bar <= 50 {
            let point = GridPoint(stroke, playedBar: stroke.bar - 1)
            // Bar 49 is 1 ms late, bar 50, which is muted, 7 ms.
            report.add(PlayedNote(at: point, late: stroke.isMuted ? 0.007 : 0.001))
            report.add(point)
        }
        let summary = PlayingSummary(report: report, isAbsolute: true, sampleRate: 48_000)
        let lines = summary.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("     49        4     +1.0      0.0 ms"))
        #expect(lines.contains("     50        4     +7.0      0.0 ms  muted"))
        #expect(
            lines.contains { $0.hasSuffix("the last 40 of 50 bars") } && !lines.contains { $0.hasPrefix("     10 ") })
        #expect(summary.json.contains(#"{"bar":50,"muted":true,"notes":4,"mean_ms":7.000,"spread_ms":0.000}"#))
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `A take without a note asks for the level, one with notes elsewhere for the tempo`() throws {
        let silent = PlayingSummary(report: PlayingReport(), isAbsolute: true, sampleRate: 48_000)
        #expect(silent.text.contains("no note was heard: check the level"))
        var report = PlayingReport()
        var engine = try ListeningEngine(sampleRate: 48_000.hertz)
        // A grid with a point at 0 s, and a note a quarter of a second after it.
        var strokes = try PlanStrokes(PracticePlan(tempo: Tempo(60)), sampleRate: 48_000.hertz)
        for _ in 0..<3 { strokes.next().map { engine.expect($0) } }
        var samples = [Float](repeating: 0, count: 144_000)
        for n in 0..<2_400 { samples[60_000 + n] = Float(sin(0.3 * Double(n)) * exp(-Double(n) / 500)) }
        engine.process(samples.span, at: 0)
        while let note = engine.nextNote() { report.add(note) }
        let elsewhere = PlayingSummary(report: report, isAbsolute: true, sampleRate: 48_000)
        #expect(report.extraCount == 1 && elsewhere.text.contains("no note was near a beat: check the tempo"))
    }

    @Test func `Small deviations are on the beat, others early or late`() {
        #expect(PlayingSummary.direction(.milliseconds(12)) == "12.0 ms late")
        #expect(PlayingSummary.direction(.milliseconds(-3), decimals: 0) == "3 ms early")
        #expect(PlayingSummary.direction(.microseconds(20)) == "on the beat")
    }

    @Test func `Notes stand on the scale of their beat, early to the left and late to the right`() throws {
        let plan = try PracticePlan(tempo: Tempo(120))
        var model = MetronomeModel(grid: try PlanGrid(plan))
        model.notes = HeardNotes(isAbsolute: true)
        var strokes = try PlanStrokes(plan, sampleRate: 48_000.hertz)
        let report = try report()
        let summary = PlayingSummary(report: report, isAbsolute: true, sampleRate: 48_000)
        for _ in 0..<4 {
            if let stroke = strokes.next() { model.hear(stroke, at: Double(stroke.frame) / 48_000) }
        }
        model.notes?.hear(Array(report.notes.prefix(4)), of: summary)
        let rows = MetronomeScreen.draw(model, columns: 80, rows: 24, unicode: true).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        let scale = try #require(rows.first { $0.contains("┼") && $0.contains("●") })
        let words = try #require(rows.first { $0.contains("4 ms early") })
        #expect(words.contains("12 ms late") && words.contains("2 ms late"))
        // Of beat 4 the mark is right of the middle.
        let last = try #require(scale.split(separator: " ", omittingEmptySubsequences: true).last)
        let middle = try #require(Array(last).firstIndex(of: "┼"))
        let mark = try #require(Array(last).firstIndex(of: "●"))
        #expect(mark > middle)
        #expect(rows.contains { $0.contains("mean 3.0 ms late") })
        for columns in [40, 80, 250] {
            #expect(MetronomeScreen.draw(model, columns: columns, rows: 10, unicode: false).columns == columns)
        }
    }
}
