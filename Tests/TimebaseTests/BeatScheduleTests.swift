import BigInt
import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

/// An exact instant in frames, for the oracle: numbers of any size, nothing shared with the code under test.
struct ExactFrames {
    var above: BigInt
    var below: BigInt

    static let zero = ExactFrames(above: 0, below: 1)

    static func + (a: ExactFrames, b: ExactFrames) -> ExactFrames {
        ExactFrames(above: a.above * b.below + b.above * a.below, below: a.below * b.below)
    }

    /// `count` beats of `offset` more at a tempo of quarters per minute, on a meter's note value.
    static func beats(_ above: BigInt, over below: BigInt, tempo: Ratio, denominator: Int, sampleRate: Int)
        -> ExactFrames
    {
        ExactFrames(
            above: above * 240 * BigInt(sampleRate) * BigInt(tempo.denominator),
            below: below * BigInt(tempo.numerator) * BigInt(denominator))
    }

    /// Half a frame goes up.
    var nearest: Int64 { Int64((2 * above + below) / (2 * below)) }
    var floor: Int64 { Int64(above / below) }
}

@Suite struct BeatScheduleTests {
    @Test(arguments: [44_100, 48_000, 96_000])
    func `A million beats of each tempo are carried to the oracle's frames`(sampleRate: Int) throws {
        for (text, above, below) in [
            ("120", 120, 1), ("97.3", 973, 10), ("100/3", 100, 3), ("130", 130, 1), ("133.7", 1337, 10),
            ("250.7", 2507, 10),
        ] as [(String, Int64, Int64)] {
            let plan = try PracticePlan(tempo: try Tempo(parsing: text))
            var strokes = PlanStrokes(try BeatSchedule(plan, sampleRate: sampleRate.hertz))
            var misplaced = 0
            for k in 0..<Int64(1_000_000) {
                let frame = strokes.next()?.frame
                // In 64 bits, which suffice here; every 997th against BigInt, all of them by `make bench PART=beats`.
                if frame != (2 * k * 60 * Int64(sampleRate) * below + above) / (2 * above) { misplaced += 1 }
                if k % 997 == 0 || k == 999_999 {
                    let exact = ExactFrames.beats(
                        BigInt(k), over: 1, tempo: try Tempo(parsing: text).beatsPerMinute, denominator: 4,
                        sampleRate: sampleRate)
                    if exact.nearest != frame { misplaced += 1 }
                }
            }
            // Drift is what a straight line through the ends is off by; the last beat is on its frame, so none.
            print("\(text) BPM at \(sampleRate) Hz: 1000000 beats, \(misplaced) misplaced")
            #expect(misplaced == 0)
        }
    }

    @Test func `A bar that begins with beat 10 to the 12th is entered on its exact frame`() throws {
        for (text, above, below) in [("97.3", 973, 10), ("100/3", 100, 3), ("133.7", 1337, 10)]
            as [(String, Int64, Int64)]
        {
            for sampleRate in [44_100, 48_000, 96_000] {
                let plan = try PracticePlan(tempo: try Tempo(parsing: text))
                let found = try strokes(of: plan, sampleRate: sampleRate, limit: 9, from: 250_000_000_001)
                for (offset, stroke) in found.enumerated() {
                    let beat = BigInt(1_000_000_000_000 + offset)
                    let tempo = try #require(Ratio(above, below))
                    let exact = ExactFrames.beats(beat, over: 1, tempo: tempo, denominator: 4, sampleRate: sampleRate)
                    #expect(stroke.frame == exact.nearest && stroke.floorFrame == exact.floor)
                }
                #expect(found.first?.beat == 1 && found.count == 9)
            }
        }
    }

    @Test func `Each change of tempo carries the exact remainder`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<100 {
            let sampleRate = [44_100, 48_000, 96_000, 192_000][Int.random(in: 0..<4, using: &random)]
            var plan = PracticePlan(sections: [])
            var expected: [Int64] = []
            var here = ExactFrames.zero
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let below = Int64([1, 2, 3, 7, 10, 100][Int.random(in: 0..<6, using: &random)])
                let tempo = try Tempo(
                    try #require(Ratio(Int64.random(in: (20 * below)...(400 * below), using: &random), below)))
                let meter = try Meter(
                    Int.random(in: 1...9, using: &random), [2, 4, 8, 16][Int.random(in: 0..<4, using: &random)])
                var section = PlanSection(
                    tempo: .steady(tempo, counting: .quarter), levels: [meter.levels], meter: meter)
                let bars = Int.random(in: 1...3, using: &random)
                section.bars = Int64(bars)
                plan.sections.append(section)
                for _ in 0..<(bars * meter.beats) {
                    expected.append(here.nearest)
                    here =
                        here
                        + .beats(
                            1, over: 1, tempo: tempo.beatsPerMinute, denominator: meter.denominator,
                            sampleRate: sampleRate)
                }
            }
            #expect(try strokes(of: plan, sampleRate: sampleRate).map(\.frame) == expected)
        }
    }

    @Test func `Parts of a beat, swing and polyrhythm lie at their fractions of it`() throws {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<120 {
            let sampleRate = [44_100, 48_000, 96_000][Int.random(in: 0..<3, using: &random)]
            let tempo = try Tempo(try #require(Ratio(Int64.random(in: 200...4_000, using: &random), 10)))
            let beats = Int.random(in: 1...7, using: &random)
            var parts = Int.random(in: 1...12, using: &random)
            var swing: (Int, Int) = (1, 1)
            if Bool.random(using: &random) {
                parts = 2 * Int.random(in: 1...6, using: &random)
                swing = [(2, 1), (3, 2), (3, 1), (55, 45)][Int.random(in: 0..<4, using: &random)]
            }
            let voice = Int.random(in: 1...13, using: &random)
            var options = PlanOptions(tempo: TempoNotation(tempo))
            options.accents = .every(beats)
            options.subdivision = try Subdivision(parts)
            options.swing = try Swing(parsing: "\(swing.0):\(swing.1)")
            options.cross = voice == beats ? nil : .polyrhythm([beats, voice])
            options.end = .bars(3)
            let found = try strokes(of: try options.plan(), sampleRate: sampleRate)

            // Each stroke as a fraction (above, below) of beats from the start, by the definitions.
            var exact: [(frame: Int64, layer: Int)] = []
            for bar in 0..<3 {
                for beat in 0..<beats {
                    for part in 0..<parts {
                        let pair = swing.0 + swing.1
                        let (above, below) =
                            part.isMultiple(of: 2) || swing == (1, 1)
                            ? (part, parts) : ((part - 1) * pair + 2 * swing.0, parts * pair)
                        let whole = bar * beats + beat
                        let instant = ExactFrames.beats(
                            BigInt(whole * below + above), over: BigInt(below), tempo: tempo.beatsPerMinute,
                            denominator: 4, sampleRate: sampleRate)
                        exact.append((instant.nearest, 0))
                    }
                }
                guard options.cross != nil else { continue }
                for stroke in 0..<voice {
                    let instant = ExactFrames.beats(
                        BigInt(bar * beats * voice + stroke * beats), over: BigInt(voice),
                        tempo: tempo.beatsPerMinute, denominator: 4, sampleRate: sampleRate)
                    exact.append((instant.nearest, 1))
                }
            }
            for layer in 0...1 {
                #expect(
                    found.filter { Int($0.layer) == layer }.map(\.frame)
                        == exact.filter { $0.layer == layer }.map(\.frame))
            }
            #expect(found.map(\.frame) == found.map(\.frame).sorted())
        }
    }

    @Test func `A plan entered at any bar goes on as the whole does`() throws {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<100 {
            var options = PlanOptions(
                tempo: try TempoNotation(
                    parsing: ["97.3", "100/3", "80..160/7b", "60-90/0.5", "90..45/13beats:exp", "70..140/20s:time"][
                        Int.random(in: 0..<6, using: &random)]))
            options.meter = try Meter(Int.random(in: 2...7, using: &random), 4)
            options.subdivision = try Subdivision(Int.random(in: 1...4, using: &random))
            options.gap = try GapPlan(from: (3, 1), to: (1, 3))
            options.mutes = try RandomMute(percent: Ratio(10), to: Ratio(60), over: 20, seed: random.next())
            options.end = .bars(40)
            if Bool.random(using: &random) { options.countIn = .bars(2) }
            let plan = try options.plan()
            let whole = try strokes(of: plan)
            let bar = Int64.random(in: 1...40, using: &random)
            let tail = whole.filter { $0.bar >= bar }
            #expect(!tail.isEmpty && tail.count < whole.count + 1)
            let entered = try strokes(of: plan, from: bar)
            // In a ramp the carried and the entered instant are the same closed form, but for its anchor's 2⁻⁴⁰ frame.
            #expect(entered.map(\.frame) == tail.map(\.frame))
            #expect(entered.map(\.isMuted) == tail.map(\.isMuted))
            #expect(entered.map(\.level) == tail.map(\.level) && entered.map(\.beat) == tail.map(\.beat))
        }
    }
}
