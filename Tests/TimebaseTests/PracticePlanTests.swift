import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct PracticePlanTests {
    @Test func `Accents, meters and groups give the levels they name`() throws {
        func levels(_ accent: String?, meter: String? = nil, count: Int) throws -> String {
            let placed = try strokes("120", limit: count) {
                $0.accents = try accent.map(AccentPattern.init(parsing:))
                $0.meter = try meter.map(Meter.init(parsing:))
            }
            return String(placed.map(\.level.letter))
        }
        #expect(try levels("4", count: 8) == "XxxxXxxx")
        #expect(try levels("3+2+2", count: 8) == "XxxoxoxX")
        #expect(try levels("X.x.", count: 6) == "X.x.X.")
        #expect(try levels("X.x./X.xx", count: 9) == "X.x.X.xxX")
        #expect(try levels("3,1,2,1", count: 5) == "Xxox" + "X")
        #expect(try levels("none", count: 5) == "xxxxx")
        #expect(try levels("only", meter: "2+2+3/8", count: 8) == "X.o.o..X")
        #expect(try levels(nil, meter: "7/8", count: 8) == "XxxxxxxX")
        #expect(try levels(nil, meter: "2+2+3/8", count: 8) == "XxoxoxxX")
        // Every third beat across bars of four: they meet again after three bars.
        let hemiola = try strokes("120", limit: 13) {
            $0.accents = .every(3)
            $0.meter = .common
        }
        #expect(String(hemiola.map(\.level.letter)) == "XxxXxxXxxXxxX")
        #expect(hemiola.map(\.bar) == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4])
    }

    @Test func `A pattern that is not as long as the bar is refused`() {
        #expect(throws: PlanError.self) {
            try strokes("120") {
                $0.accents = try AccentPattern(parsing: "X.x")
                $0.meter = .common
            }
        }
        #expect(throws: PlanError.self) { try strokes("120") { $0.steps = try TempoSteps(parsing: "-5/4b..160") } }
        #expect(throws: PlanError.swingNeedsPairs(parts: 3)) {
            try strokes("120") {
                $0.swing = try Swing(parsing: "60")
                $0.subdivision = try Subdivision(3)
            }
        }
    }

    @Test func `A meter's beats follow its note value, a counted note its own`() throws {
        // Eighths 120 times a minute; as quarters they are twice as fast.
        let eighths = try strokes("120", limit: 2) { $0.meter = try Meter(parsing: "7/8") }
        #expect(eighths[1].frame == 24_000)
        let quarters = try strokes("4=120", limit: 2) { $0.meter = try Meter(parsing: "7/8") }
        #expect(quarters[1].frame == 12_000)
        let dotted = try strokes("8.=96", limit: 2) { $0.meter = .common }
        // A dotted eighth 96 times a minute is a quarter 72 times: 40,000 frames.
        #expect(dotted[1].frame == 40_000)
        let counted = try strokes("8.=96", limit: 2)
        #expect(counted[1].frame == 30_000)
    }

    @Test(arguments: [
        ("4/4", "8th", 2), ("4/4", "16th", 4), ("7/8", "8th", 1), ("7/8", "16th", 2), ("7/8", "32nd", 4),
        ("2/2", "quarter", 2), ("2/2", "16th", 8), ("7/8", "triplet", 3), ("3/4", "triplet", 3), ("5/16", "16th", 1),
        ("6/8", "4", 4),
    ])
    func `A note value divides a beat into as many parts as it holds, a tuplet any beat alike`(
        meter: String, name: String, parts: Int
    ) throws {
        let meter = try Meter(parsing: meter)
        let bar = try strokes("90") {
            $0.meter = meter
            $0.subdivision = try Subdivision(parsing: name)
            $0.end = .bars(1)
        }
        #expect(bar.count == meter.beats * parts && bar.map(\.part).max() == Int32(parts - 1))
    }

    @Test func `Without a meter the counted note is the beat, and subdivisions divide it`() throws {
        let bar = try strokes("8.=96") {
            $0.subdivision = try Subdivision(parsing: "16th:301")
            $0.end = .bars(1)
        }
        #expect(bar.count == 12 && String(bar.prefix(4).map(\.level.letter)) == "X.xx")
        #expect(bar.allSatisfy { $0.beatValue == NoteValue(8, dots: 1) && $0.tempo == 96 })
    }

    @Test func `An app names the note value that a tempo counts, and an event says which one it is`() throws {
        let (eighth, quarter) = (try #require(NoteValue(8)), NoteValue.quarter)
        for (meter, note, beat, frames) in [
            // Eighths 140 times a minute are 20,571.4 frames long, quarters as often make them half as long.
            (try Meter(parsing: "7/8"), quarter, eighth, 10_286), (try Meter(parsing: "7/8"), nil, eighth, 20_571),
            (nil, eighth, eighth, 20_571), (nil, nil, quarter, 20_571), (.common, eighth, quarter, 41_143),
        ] as [(Meter?, NoteValue?, NoteValue, Int64)] {
            let plan = try PracticePlan(tempo: Tempo(140), counting: note, meter: meter)
            var strokes = PlanStrokes(try BeatSchedule(PlanGrid(plan), sampleRate: 48.kilohertz))
            let (one, other) = (strokes.next(), strokes.next())
            let (first, second) = (try #require(one), try #require(other))
            #expect(first.beatValue == beat && first.countedValue == note ?? beat && first.tempo == 140)
            #expect(second.frame == frames, "\(String(describing: meter)) counting \(String(describing: note))")
        }
    }

    @Test(arguments: [("5/16", "8th"), ("7/8", "quarter"), ("2/2", "32nd"), ("4/3", "8th")])
    func `A note value that the beat does not hold is refused`(meter: String, name: String) throws {
        let error = #expect(throws: PlanError.self) {
            try strokes("90") {
                $0.meter = try Meter(parsing: meter)
                $0.subdivision = try Subdivision(parsing: name)
            }
        }
        var isRefused = false
        if case .notesDoNotFit = error { isRefused = true }
        #expect(isRefused, "\(String(describing: error))")
    }

    @Test func `Levels have to match the parts, and eighths of 7/8 have no pairs to swing`()
        throws
    {
        #expect(throws: PlanError.levelsDoNotFit(3, parts: 2)) {
            try strokes("90") { $0.subdivision = try Subdivision(parsing: "8th:101") }
        }
        #expect(throws: PlanError.swingNeedsPairs(parts: 1)) {
            try strokes("90") {
                $0.meter = try Meter(parsing: "7/8")
                $0.subdivision = try Subdivision(parsing: "8th")
                $0.swing = try Swing(parsing: "60")
            }
        }
    }

    @Test func `A count-in comes before bar 1 and moves everything else back`() throws {
        let plain = try strokes("97.3", limit: 20)
        let bars = try strokes("97.3", limit: 28) { $0.countIn = try CountIn(parsing: "2") }
        #expect(bars.prefix(8).map(\.bar) == [-1, -1, -1, -1, 0, 0, 0, 0])
        #expect(bars[8].bar == 1 && bars[8].beat == 1)
        #expect(bars[8].frame == plain[8].frame)
        let beats = try strokes("97.3", limit: 10) { $0.countIn = try CountIn(parsing: "3beats") }
        #expect(beats.prefix(4).map(\.bar) == [0, 0, 0, 1] && beats[2].beatsInBar == 3)
    }

    @Test func `Steps go up bar by bar, and back down when asked`() throws {
        let up = try strokes("100", limit: 400) { $0.steps = try TempoSteps(parsing: "+25/2b..160") }
        func tempo(_ bar: Int64) -> Double { up.first { $0.bar == bar }?.tempo ?? 0 }
        let tempi = [1, 2, 3, 4, 5, 6, 7, 8, 50].map { (tempo($0) * 1e6).rounded() / 1e6 }
        #expect(tempi == [100, 100, 125, 125, 150, 150, 160, 160, 160])
        let both = try strokes("100", limit: 400) {
            $0.steps = try TempoSteps(parsing: "+30/1b..160")
            $0.bounces = true
        }
        let way = (1...7).map { bar in (both.first { $0.bar == bar }?.tempo ?? 0).rounded() }
        #expect(way == [100, 130, 160, 130, 100, 100, 100])
    }

    @Test func `Gaps mute whole bars in turn and widen as told`() throws {
        func muted(_ text: String, bars: Int) throws -> String {
            let placed = try strokes("120", limit: bars * 4) { $0.gap = try GapPlan(parsing: text) }
            return String(placed.filter { $0.beat == 1 }.map { $0.isMuted ? "-" : "#" })
        }
        #expect(try muted("3:1", bars: 9) == "###-###-#")
        #expect(try muted("3:1..1:3", bars: 14) == "###-##--#---#-")
        #expect(try muted("2:0", bars: 4) == "####")
        let placed = try strokes("120", limit: 8) { $0.gap = try GapPlan(parsing: "1:1") }
        #expect(placed.suffix(4).allSatisfy { $0.isMuted && $0.level != .silent })
        // From bar 9 on it is 1:3 for ever: bars 9, 13, 17 ... are played.
        let far = try strokes(
            of: try plan("120") { $0.gap = try GapPlan(parsing: "3:1..1:3") }, limit: 8, from: 1_000_001)
        #expect(far.map(\.isMuted) == [false, false, false, false, true, true, true, true])
    }

    @Test func `Random mutes leave out their share, the same for the same seed, and may grow`() throws {
        func muted(_ text: String, seed: UInt64, beats: Int = 40_000) throws -> [Bool] {
            try strokes("120", limit: beats) { $0.mutes = try RandomMute(parsing: text, seed: seed) }.map(\.isMuted)
        }
        let third = try muted("30", seed: 1)
        // 40,000 throws at 30 %: a standard deviation of 92; five of them.
        #expect(abs(third.count { $0 } - 12_000) < 460)
        #expect(try muted("30", seed: 1, beats: 400) == Array(third.prefix(400)))
        #expect(try muted("30", seed: 2, beats: 400) != Array(third.prefix(400)))
        #expect(try muted("0", seed: 1, beats: 400).allSatisfy { !$0 })
        #expect(try muted("100%", seed: 1, beats: 400).allSatisfy { $0 })
        let growing = try muted("0..80/5000b", seed: 3)
        let early = growing.prefix(10_000).count { $0 }
        let late = growing.suffix(10_000).count { $0 }
        // Bars 1 to 2,500 average 20 %; from bar 5,001 on it is 80 %.
        #expect(abs(early - 2_000) < 300 && abs(late - 8_000) < 300)
    }

    @Test func `A polymeter strikes the first of each voice's own bars`() throws {
        let placed = try strokes("120", limit: 100) {
            $0.cross = try .polymeter(CrossRhythm.voices(parsing: "4:3"))
            $0.end = .bars(6)
        }
        let own = placed.filter { $0.layer == 0 }
        let other = placed.filter { $0.layer == 1 }
        #expect(own.count == 24 && other.count == 8)
        #expect(other.map(\.frame) == (0..<8).map { $0 * 72_000 })
    }

    @Test func `A plan ends after its bars or its time`() throws {
        let bars = try PlanOptions(tempo: try TempoNotation(parsing: "100")).ending(.bars(3))
        #expect(try strokes(of: bars).count == 12)
        #expect(try BeatSchedule(bars, sampleRate: 48.kilohertz).endFrame == 345_600)
        let time = try PlanOptions(tempo: try TempoNotation(parsing: "100")).ending(.time(Duration(parsing: "1:30")))
        #expect(try BeatSchedule(time, sampleRate: 44_100.hertz).endFrame == 90 * 44_100)
    }

    @Test func `What lies out of reach is refused, not overflown`() throws {
        for bar in [Int64.max, 1 << 48, 1 << 40, 0, -1, .min] {
            #expect(throws: PlanError.noSuchBar(bar)) {
                try strokes(of: try PracticePlan(tempo: try Tempo(1)), sampleRate: 1 << 24, limit: 1, from: bar)
            }
        }
        let long = try PlanOptions(tempo: try TempoNotation(parsing: "1")).ending(.bars(.max))
        #expect(throws: PlanError.tooLong) { _ = try BeatSchedule(long, sampleRate: 48.kilohertz) }
        let many = String(repeating: "10000000 1024/64 0.001\n", count: 100)
        #expect(throws: NotationError.self) { try PracticePlan(tempoMap: many, file: "long") }
        #expect(throws: PlanError.self) {
            try strokes("120") {
                $0.subdivision = try Subdivision(12)
                $0.swing = try Swing(parsing: "66.67")
                $0.cross = .polyrhythm([61, 59, 53, 47])
                $0.accents = .every(64)
            }
        }
        #expect(throws: PlanError.self) { try strokes("120") { $0.cross = .polymeter([61, 59, 53, 47]) } }
        #expect(throws: PlanError.nothingToPlay) { try strokes(of: PracticePlan(sections: [])) }
    }
}

extension PlanOptions {
    fileprivate func ending(_ end: PlanEnd) throws -> PracticePlan {
        var options = self
        options.end = end
        return try options.plan()
    }
}

extension PracticePlanTests {
    @Test func `A count-in before a later bar has that bar's tempo and meter, and moves nothing`() throws {
        var random = SeededGenerator(seed: 14)
        for turn in 0..<120 {
            let text = """
                a: \(Int.random(in: 1...4, using: &random)) 4/4 97.3
                b: 3 7/8 \(Int.random(in: 60...200, using: &random)) X..x.x.
                c: 4 3/4 80-160
                d: 5 5/4 100
                """
            var plan = try PracticePlan(tempoMap: text, file: "song")
            plan.countIn = turn.isMultiple(of: 3) ? .beats(3) : .bars(Int.random(in: 1...3, using: &random))
            let whole = try strokes(of: plan)
            let bar = Int64.random(in: 2...12, using: &random)
            plan.entryBar = bar
            let entered = try strokes(of: plan)
            let (lead, tail) = (entered.filter { $0.section == -1 }, entered.filter { $0.section >= 0 })
            // What is played is the tail of the whole, to the frame.
            // Within a ramp an instant is a logarithm: at 10⁶ frames a double is right to 10⁻¹⁰ of one, and a few roundings.
            func rounded(_ stroke: BeatEvent) -> BeatEvent {
                var stroke = stroke
                stroke.fraction = 0
                return stroke
            }
            let rest = whole.filter { $0.bar >= bar }
            #expect(tail.map(rounded) == rest.map(rounded) && tail.first?.bar == bar)
            #expect(zip(tail, rest).allSatisfy { abs($0.fraction - $1.fraction) < 1e-9 })
            let first = try #require(tail.first)
            let bars = turn.isMultiple(of: 3) ? [] : [Int(first.beatsInBar)]
            #expect(lead.allSatisfy { $0.bar <= 0 && $0.level != .silent && $0.beatValue == first.beatValue })
            #expect(bars.isEmpty ? lead.count == 3 : lead.count.isMultiple(of: bars[0]) && !lead.isEmpty)
            // Evenly spaced, one beat of the entered tempo apart, up to the bar itself.
            let beat = 60 * 48_000 / first.tempo * 4 * first.beatValue.share.value
            for (index, stroke) in lead.enumerated() {
                let back = Double(lead.count - index) * beat
                let exact = Double(first.floorFrame) + Double(first.fraction) - back
                // 10⁻⁶ of a beat: the tempo within a ramp is taken to a millionth.
                #expect(
                    abs(Double(stroke.floorFrame) + Double(stroke.fraction) - exact) < 1e-6 * beat + 1e-6,
                    "case \(turn)")
            }
        }
    }

    @Test func `A plan is not entered at a bar it does not have`() throws {
        for bar in [0, -1, 9, Int64.max, Int64.min] {
            var plan = try PracticePlan(tempoMap: "8 120", file: "song")
            plan.entryBar = bar
            #expect(throws: PlanError.noSuchBar(bar)) { _ = try strokes(of: plan) }
        }
    }
}
