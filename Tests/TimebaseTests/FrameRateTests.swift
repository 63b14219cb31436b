import BigInt
import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

/// Schedules for a stream whose true rate is known.
@Suite struct FrameRateTests {
    @Test func `Beats lie on the oracle's frames at the true rate`() throws {
        let seed: UInt64 = 4_711
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let sampleRate = [8_000, 44_100, 48_000, 96_000, 192_000].randomElement(using: &random) ?? 48_000
            let error = Int64.random(in: -2_000_000...2_000_000, using: &random)
            let rate = try #require(Ratio(wide: Int128(sampleRate) * Int128(100_000_000 + error), over: 100_000_000))
            let tempo = try #require(Ratio(Int64.random(in: 1_000...300_000, using: &random), 997))
            var options = PlanOptions(tempo: try TempoNotation(parsing: "\(tempo)"))
            options.accents = AccentPattern.none
            options.end = .bars(16)
            let plan = try options.plan()
            let schedule = try BeatSchedule(plan, sampleRate: sampleRate.hertz, frameRate: rate)
            #expect(schedule.sampleRate == sampleRate.hertz && schedule.frameRate == rate)
            var strokes = PlanStrokes(schedule)
            var beat = 0
            while let stroke = strokes.next() {
                // k · 60 · rate / tempo, half a frame upwards.
                let above: BigInt = BigInt(beat) * 60 * BigInt(rate.numerator) * BigInt(tempo.denominator)
                let below: BigInt = BigInt(rate.denominator) * BigInt(tempo.numerator)
                let expected: BigInt = (2 * above + below) / (2 * below)
                #expect(BigInt(stroke.frame) == expected)
                let shown: Double = stroke.tempo / tempo.value
                #expect(shown > 1 - 1e-12 && shown < 1 + 1e-12, "the tempo is told as it was asked for")
                beat += 1
            }
            #expect(beat >= 16)
        }
    }

    @Test func `A limit of time is true time`() throws {
        var options = PlanOptions(tempo: try TempoNotation(parsing: "120"))
        options.end = .time(try Duration(parsing: "10m"))
        let fast = try #require(Ratio(48_000 * 10_001, 10_000))
        let schedule = try BeatSchedule(try options.plan(), sampleRate: 48.kilohertz, frameRate: fast)
        let expected: Int64 = 28_802_880
        #expect(schedule.endFrame == expected)
    }
}
