import CAllocationProbe
import Foundation
import Music
import Notation
import Rhythm
import Synthesis
import TestSignals
import Testing
import Timebase

private let rate = 48_000.0

/// A take with its metronome: what a microphone hears of plucks and clicks, and how late each pluck is.
private struct Take {
    var samples: [Float]
    var strokes: [BeatEvent] = []
    /// In seconds, for the strokes that were played.
    var late: [Double] = []

    /// - Parameters:
    ///   - late: how late a stroke is played; `nil`: not at all.
    ///   - click: the amplitude of clicks, next to plucks of 0.4.
    init(
        _ plan: PracticePlan, seconds: Double, click: Float = 0, seed: UInt64,
        late: (BeatEvent, inout SeededGenerator) -> Double?
    ) throws {
        var random = SeededGenerator(seed: seed)
        samples = whiteNoise(count: Int(seconds * rate), rms: 3e-4, using: &random)
        var source = try PlanStrokes(plan, sampleRate: rate.hertz)
        var track = ClickTrack(sounds: [.voice(.woodBlock)], sampleRate: rate.hertz)
        var clicks = [Float](repeating: 0, count: samples.count)
        var (rendered, instants) = (0, [Double]())
        var span = clicks.mutableSpan
        while let stroke = source.next(), Double(stroke.frame) < (seconds - 0.5) * rate {
            strokes.append(stroke)
            if stroke.sounds {
                track.render(into: &span, from: rendered, to: Int(stroke.frame))
                rendered = Int(stroke.frame)
                track.strike(layer: 0, level: stroke.level, gain: click, fraction: nil)
            }
            guard let seconds = late(stroke, &random) else { continue }
            self.late.append(seconds)
            instants.append(Double(stroke.floorFrame) + stroke.fraction + seconds * rate)
        }
        track.render(into: &span, from: rendered, to: samples.count)
        // A room: the direct sound after 3 ms, and echoes that fall by 60 dB in 0.3 s.
        if click > 0 {
            var echoes = [(delay: 144, gain: Float(0.7))]
            for _ in 0..<40 {
                let delay = Double.random(in: 0.004...0.2, using: &random)
                echoes.append((Int(delay * rate), Float(0.2 * random.normal() * pow(10, -3 * delay / 0.3))))
            }
            for echo in echoes {
                for n in echo.delay..<samples.count { samples[n] += echo.gain * clicks[n - echo.delay] }
            }
        }
        addPlucks(at: instants, to: &samples, sampleRate: rate, using: &random)
    }

    /// What the engine hears of it.
    func report(clicks: PlayedClicks = .none, block: Int = 480, shift: Double = 0) throws -> PlayingReport {
        var engine = try ListeningEngine(sampleRate: rate.hertz, clicks: clicks)
        var (report, next) = (PlayingReport(), 0)
        for start in stride(from: 0, to: samples.count, by: block) {
            while next < strokes.count, Double(strokes[next].frame) < Double(start + block) + rate {
                engine.expect(strokes[next])
                next += 1
            }
            let part = Array(samples[start..<min(samples.count, start + block)])
            engine.process(part.span, at: Double(start) + shift)
            while let note = engine.nextNote() { report.add(note) }
            while let point = engine.nextPoint() { report.add(point) }
        }
        // A click at the first sample begins before it.
        #expect(engine.missedClicks <= 1)
        return report
    }
}

private func plan(_ tempo: String = "120", _ change: (inout PracticePlan) throws -> Void = { _ in }) throws
    -> PracticePlan
{
    var plan = try PracticePlan(tempo: Tempo(parsing: tempo), accents: AccentPattern(parsing: "4"))
    try change(&plan)
    return plan
}

private func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

@Suite struct ListeningEngineTests {
    @Test(arguments: [-0.03, -0.0005, 0, 0.012, 0.045])
    func `A constant lateness is told within half a millisecond`(late: Double) throws {
        let take = try Take(plan(), seconds: 20, seed: 201) { _, random in late + 0.004 * random.normal() }
        let report = try take.report()
        let timing = try #require(report.timing)
        #expect(timing.count >= take.late.count - 1, "\(timing.count) of \(take.late.count)")
        // The bias of the detector, which depends on the instrument.
        #expect(abs(timing.mean.inSeconds - mean(take.late)) < 0.000_5, "\(timing.mean) \(mean(take.late))")
        #expect(report.extraCount == 0 && report.missedCount <= 1)
    }

    @Test func `With the click as loud as the playing in a room, the mean is told within half a millisecond`() throws {
        // The count-in teaches the canceller both sounds.
        let counted = try plan { $0.countIn = .bars(2) }
        let take = try Take(counted, seconds: 30, click: 0.4, seed: 202) { stroke, random in
            stroke.section < 0 ? nil : 0.011 + 0.006 * random.normal()
        }
        let clicks = PlayedClicks([.voice(.woodBlock)], sampleRate: rate.hertz)
        let report = try take.report(clicks: clicks)
        let timing = try #require(report.timing)
        // The figures of the canceller: recall .97 at this level.
        #expect(Double(report.hits.count) >= 0.95 * Double(take.late.count), "\(report.hits.count)")
        #expect(abs(timing.mean.inSeconds - mean(take.late)) < 0.000_5, "\(timing.mean) \(mean(take.late))")
        #expect(report.extraCount <= 1, "\(report.extraCount)")
        // Without cancelling the clicks themselves are heard.
        let deaf = try take.report()
        #expect(abs(try #require(deaf.timing).mean.inSeconds - mean(take.late)) > 0.002)
    }

    @Test func `Notes do not depend on the size of the blocks`() throws {
        let take = try Take(plan("97.3"), seconds: 8, seed: 203) { _, random in 0.01 * random.normal() }
        let whole = try take.report(block: 480).notes
        #expect(whole.count > 8)
        for block in [1, 37, 4_096] {
            let notes = try take.report(block: block).notes
            #expect(notes.map(\.lateness) == whole.map(\.lateness))
            #expect(notes.map(\.point.stroke) == whole.map(\.point.stroke))
        }
    }

    @Test func `A shift of the time axis is a shift of the lateness`() throws {
        let take = try Take(plan(), seconds: 10, seed: 204) { _, random in 0.005 * random.normal() }
        let (here, there) = (try take.report(), try take.report(shift: 480.25))
        let shift = try #require(there.timing).mean - (try #require(here.timing).mean)
        // 480.25 frames at 48 kHz; a duration of seconds is exact to a femtosecond.
        #expect(abs(shift.inSeconds - 480.25 / rate) < 1e-9)
    }

    @Test(arguments: ["2", "3", "4"])
    func `Each note belongs to the nearest part of a swung or divided beat`(parts: String) throws {
        let swung = try plan("80") {
            $0.sections[0].subdivision = try Subdivision(parsing: parts)
            if parts == "2" { $0.sections[0].swing = try Swing(parsing: "2:1") }
        }
        let take = try Take(swung, seconds: 20, seed: 205) { _, random in
            Double.random(in: -0.04...0.04, using: &random)
        }
        let report = try take.report()
        #expect(report.hits.count >= take.late.count - 1 && report.extraCount == 0)
        for (note, late) in zip(report.notes, take.late) where report.notes.count == take.late.count {
            #expect(abs(note.lateness.inSeconds - late) < 0.001)
        }
        #expect(report.positions.count == 4 * (Int(parts) ?? 0))
    }

    @Test func `A note in the middle between two beats is extra, and so is a second note at a beat`() throws {
        let take = try Take(plan(), seconds: 6, seed: 206) { stroke, _ in
            switch (stroke.bar, stroke.beat) {
            case (1, 3): 0.25
            case (2, 2): 0.02
            default: 0
            }
        }
        var extra = take
        let second = take.strokes.first { $0.bar == 2 && $0.beat == 3 }
        var random = SeededGenerator(seed: 207)
        addPlucks(
            at: [Double(try #require(second).frame) + 0.09 * rate], to: &extra.samples, sampleRate: rate,
            using: &random)
        let report = try extra.report()
        let found = report.notes.filter(\.isExtra).map { [Int($0.point.stroke.bar), Int($0.point.stroke.beat)] }
        #expect(found.count == 2 && found.contains([2, 3]), "\(found)")
        #expect(report.missedCount == 1)
    }

    @Test func `Muted bars are heard as such`() throws {
        let gapped = try plan { $0.gap = try GapPlan(parsing: "2:2") }
        let take = try Take(gapped, seconds: 17, seed: 208) { stroke, _ in
            stroke.isMuted ? 0.002 * Double((stroke.bar - 1) % 4 - 2) * 4 + 0.002 * Double(stroke.beat) : 0
        }
        let runs = try take.report().mutedRuns
        #expect(runs.count == 2 && runs.allSatisfy { $0.bars == 2 })
        for run in runs { #expect(abs(try #require(run.drift).inSeconds - 0.016) < 0.000_5) }
    }

    @Test func `Listening makes no heap call`() throws {
        let counted = try plan { $0.countIn = .bars(1) }
        let take = try Take(counted, seconds: 6, click: 0.4, seed: 209) { _, random in 0.01 * random.normal() }
        let clicks = PlayedClicks([.voice(.woodBlock)], sampleRate: rate.hertz)
        var engine = try ListeningEngine(sampleRate: rate.hertz, clicks: clicks)
        var (next, notes) = (0, 0)
        allocation_probe_reset()
        let array = [Float](repeating: 0, count: Int.random(in: 1...9))
        #expect(allocation_probe_count() > 0 && array.count > 0)
        allocation_probe_reset()
        for start in stride(from: 0, to: take.samples.count - 480, by: 480) {
            while next < take.strokes.count, take.strokes[next].frame < Int64(start) + 24_000 {
                engine.expect(take.strokes[next])
                next += 1
            }
            engine.process(take.samples.span.extracting(start..<start + 480), at: Double(start))
            while engine.nextNote() != nil { notes += 1 }
            while engine.nextPoint() != nil {}
        }
        let calls = allocation_probe_count()
        #expect(calls == 0 && notes > 4, "\(calls) calls, \(notes) notes")
    }
}
