import BigInt
import Foundation
import Music
import Notation
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct TempoMapTests {
    @Test(arguments: ["steady", "ramp", "meters", "perbeat", "manual"])
    func `A klick map gives klick's times`(name: String) throws {
        let map = try #require(Bundle.module.url(forResource: name, withExtension: "map", subdirectory: "Fixtures"))
        let table = try #require(Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "Fixtures"))
        let plan = try PracticePlan(tempoMap: try String(contentsOf: map, encoding: .utf8), file: name)
        let heard = try strokes(of: plan).filter { $0.level != .silent }
        let klick = try String(contentsOf: table, encoding: .utf8).split(separator: "\n").compactMap {
            $0.split(separator: ",").first.flatMap { Int64($0) }
        }
        #expect(klick.count >= 8 && heard.count == klick.count)
        // klick rounds down where we know the exact instant; 10⁻⁶ for ramps, computed in floating point by both.
        let differences = zip(klick, heard).map { Double($0) - (Double($1.floorFrame) + $1.fraction) }
        print(
            "klick \(name): \(klick.count) clicks, difference \(differences.min() ?? 0) to \(differences.max() ?? 0) frames"
        )
        #expect(differences.allSatisfy { $0 > -1.000_001 && $0 < 0.000_001 })
    }

    @Test func `A ramp from 80 to 160 over 8 bars lasts as long as its integral`() throws {
        let plan = try PracticePlan(tempoMap: "8 80-160\n1 160", file: "ramp")
        let placed = try strokes(of: plan)
        // 60 N / (T₁ - T₀) · ln(T₁ / T₀) for N = 32 beats.
        let exact = 60.0 * 32 / 80 * log(2)
        #expect(abs(exact - 16.6355) < 0.00005)
        for (beat, stroke) in placed.prefix(33).enumerated() {
            let instant = 60.0 * 32 / 80 * log(1 + 80 * Double(beat) / (32 * 80)) * 48_000
            #expect(abs(Double(stroke.frame) - instant) <= 0.5 + 1e-6)
            #expect(abs(Double(stroke.floorFrame) + stroke.fraction - instant) < 1e-6)
        }
    }

    @Test func `A map with every construct of ours is read and played as written`() throws {
        let text = """
            #!metronome 2
            #: @file gap=3:1 mute=0 countin=1 seed=9   # for the whole file
            intro:  2 120           # a comment
            #: swing=2:1 sub=16th
            verse:  2 2+2+3/8 100/3 X.o.x.. 0.5
            #: curve=time
                    4 4/4 80..160
                    1 4/4 100,110,120,130
            #: poly=3:4
            repeat 2 {
                    1 3/4 4.=60 3,1,2
                repeat 2 {
            inner:    1 90 only
                }
            }
            #: polymeter=4:3 accent=4
                    3 120..60:exp none
            again:  1 8.=96 X.x. -> intro
            #: gap=1:1
            end:    * 4/4 120 X.xx/Xxxx
            """
        let plan = try PracticePlan(tempoMap: text, file: "every")
        #expect(plan.countIn == .bars(1) && plan.gap != nil && plan.mutes?.seed == 9)
        // intro, verse, ramp, per beat, 2 × (1 + 2 × 1), exponential, again, and once more from intro on, then the end.
        #expect(plan.sections.count == 2 * (4 + 6 + 2) + 1)
        #expect(plan.sections.last?.bars == nil && plan.sections.last?.gap != nil)
        let verse = plan.sections[1]
        #expect(verse.volume == 0.5 && verse.beat == NoteValue(8) && verse.levels[0].count == 7)
        #expect(try strokes(of: plan, limit: 5_000).count == 5_000)
    }

    @Test func `The share of muted beats of a map is said as --mute says it, the seed before or after it`() throws {
        for (share, said) in [
            ("30", "mute=30"), ("30%", "mute=30%"), ("0..50/32b", "mute=0..50/32b"),
            ("0..50 over 32 bars", "mute=0..50 over 32 bars"),
        ] {
            let wanted = try RandomMute(parsing: share, seed: 9)
            for options in ["seed=9 \(said)", "\(said) seed=9", "\(said) # what\n#: @file seed=9"] {
                let plan = try PracticePlan(tempoMap: "#: @file \(options)\n8 120\n", file: "song")
                #expect(plan.mutes == wanted, "\(options)")
            }
            #expect(try PracticePlan(tempoMap: "#: @file \(said)\n8 120\n", file: "song", seed: 9).mutes == wanted)
        }
    }

    @Test func `Our extensions in comments leave a map that klick reads`() throws {
        let text = "#: @file gap=1:1\n#: sub=4\n4 120 # four bars\n#: swing=60\n#: sub=8th\nb: 4 3/4 90 Xxx .5\n"
        let plan = try PracticePlan(tempoMap: text, file: "song")
        #expect(try plan.sections.map { try $0.subdivision.levels(in: .quarter, isSwung: false).count } == [4, 2])
        #expect(plan.sections[1].swing.share == Ratio(3, 5) && plan.sections[1].volume == 0.5)
        #expect(try strokes(of: plan).count == 4 * 16 + 4 * 6)
    }

    @Test func `Line ends of other systems and a byte order mark are understood`() throws {
        let plan = try PracticePlan(tempoMap: "\u{FEFF}# title\r\n4 120\r\n\t2 3/4 90\r", file: "dos")
        #expect(plan.sections.map(\.bars) == [4, 2])
    }

    @Test(arguments: [
        ("", 1, 1), ("# nothing\n", 2, 1), ("0 120", 1, 1), ("4", 1, 2), ("4 120 Xx", 1, 7), ("4 120 X.x.x", 1, 7),
        ("4 120x", 1, 6), ("4 0", 1, 3), ("4 -120", 1, 3), ("4 100,110", 1, 3), ("4 80-", 1, 6), ("4 4/0 120", 1, 5),
        ("4 /4 120", 1, 3), ("\n\n4 120 Xxxx 0.5 foo", 3, 16), ("label 4 120", 1, 1), ("4 3/4 120 X.x. 1", 1, 11),
        ("* 120", 1, 1), ("4 80..160", 1, 5), ("4 2+2/4 120", 1, 3), ("#: swing=80\n4 120", 1, 10),
        ("#: color=red\n4 120", 1, 4), ("#: swing=2:1\n", 1, 1), ("#: @file seed=x\n4 120", 1, 15),
        ("#!metronome 2\nrepeat 2 {\n4 120", 2, 1), ("#!metronome 2\n}\n4 120", 2, 1),
        ("#!metronome 2\n4 120 -> nowhere", 2, 10), ("#!metronome 2\n* 120\n4 120", 2, 1),
        ("#!metronome 3\n4 120", 1, 13),
        ("#!metronome 2\nrepeat 99999 {\n4 120\n4 130\n4 140\n}", 2, 1), ("#: poly=3\n4 120", 1, 10),
        ("4 120 ٤", 1, 7), ("4 120\n#: swing=2:1 sub=5\n  4 130\n4 120\n", 2, 10),
        ("#: accent=4\n#: curve=exp accent=X.x\n2 120", 2, 21), ("4 120\n#: sub=3 swing=60\n4 120", 2, 16),
        ("#!metronome 2\n#: accent=X.x./X.x\n2 120", 2, 16), ("#!metronome 2\n1 4/4 120 X.x./X.x", 2, 16),
        ("1 4/4 100,110 X.x.", 1, 7), ("#: swin=60\n4 120", 1, 4), ("#: swing=60 slow\n4 120", 1, 13),
        ("4 120 \u{FFFD}", 1, 7), ("4 1000001", 1, 3), ("4 .000000000001", 1, 3), ("4 16385/4 120", 1, 3),
        ("4 4/4097 120", 1, 5), ("#!metronome 2\n4 1000.1", 2, 3), ("#!metronome 2\n4 3/4 0.9", 2, 7),
        ("#!metronome 2\n4 120..1001:exp", 2, 8), ("#!metronome 2\n1 3/4 100,2000,110", 2, 11),
        ("#!metronome 2\n4 8.=1001", 2, 6), ("#!metronome 2\n4 5000/4.5", 2, 3),
    ])
    func `A map that cannot be read says where`(text: String, line: Int, column: Int) {
        let error = #expect(throws: NotationError.self) { try PracticePlan(tempoMap: text, file: "bad.map") }
        #expect(error?.line == line && error?.column == column, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("bad.map:\(line):\(column): ") == true)
    }

    @Test(arguments: [
        "133.3333333333", "120.0000000000", "1099.1234567895", "0120.50000000000000000000000", "1200.1234567895",
        "97.12345678949999999999999999", "200000", "123456.7891233", "999.123456789", "1.000000000000000000000001",
        "0.0005", "0.00000123456789012345", "0.00000000001", "97.123456789",
    ])
    func `A tempo of any number of digits is exact to forty bits and the nearest beyond`(digits: String) throws {
        let plan = try PracticePlan(tempoMap: "1 1/4 \(digits)", file: "digits")
        let tempo = try PlanGrid(plan).place(of: .none).exactTempo
        // What was written, in integers of any size.
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let places = parts.count > 1 ? parts[1].count : 0
        let (above, below) = (try #require(BigInt(parts.joined())), BigInt(10).power(places))
        let isShort = [above, below].allSatisfy { $0 / above.greatestCommonDivisor(with: below) < BigInt(1) << 40 }
        let error: BigInt = BigInt(tempo.numerator) * below - above * BigInt(tempo.denominator)
        #expect(tempo.numerator < 1 << 40 && tempo.denominator < 1 << 40)
        #expect(isShort ? error == 0 : error.magnitude << 39 < (above * BigInt(tempo.denominator)).magnitude)
    }

    @Test(arguments: ["97.123456789", "0.0005", "999.999999999", "100.1"])
    func `Every tempo can be played at any speed`(digits: String) throws {
        let seed: UInt64 = 31
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let tempo = try PracticePlan(tempoMap: "2 \(digits)", file: "speed").sections[0].tempo
        for _ in 0..<100 {
            let factor = try #require(Ratio(Int64.random(in: 1_000_000...2_000_000_000, using: &random), 1_000_000_000))
            let scaled = try #require(tempo.scaled(by: factor))
            guard case .steady(let before) = tempo.pieces[0].law, case .steady(let after) = scaled.pieces[0].law
            else {
                Issue.record("a steady tempo stays steady")
                return
            }
            #expect(abs(after.value / (before.value * factor.value) - 1) < 1e-11)
            var section = PlanSection(tempo: scaled, levels: [Meter.common.levels], meter: nil)
            section.subdivision = try Subdivision(11)
            section.bars = 2
            for rate in [44_100, 48_000, 768_000] {
                _ = try BeatSchedule(
                    PracticePlan(sections: [section]), sampleRate: rate.hertz,
                    frameRate: Ratio(Int64(rate) * 100_000_000 + 1_234_567, 100_000_000))
            }
        }
    }

    @Test(arguments: [
        ("1 4/128 120", 4), ("1 4/100 120", 4), ("1 1025/64 400", 1_025), ("20000000 1/64 100000", 20_000_000),
        ("1 120 X.x. 2000", 4), ("1 120 0.1234567890123", 4), ("1 120 99999999999999999999999", 4),
    ])
    func `What klick plays without a bound is played`(text: String, beats: Int) throws {
        let plan = try PracticePlan(tempoMap: text, file: "wide")
        #expect(Int(plan.sections[0].bars ?? 0) * plan.sections[0].levels[0].count == beats)
        let words = text.split(separator: " ")
        let denominator = words[1].split(separator: "/").dropFirst().first.flatMap { Double($0) } ?? 4
        let tempo = try #require(Double(words[words[1].contains("/") ? 2 : 1]))
        let second = try strokes(of: plan, limit: 2)[1]
        // 240 / (tempo · note value) seconds a beat; 10⁻⁹ is the rounding of this line.
        #expect(abs(Double(second.floorFrame) + second.fraction - 240 * 48_000 / (tempo * denominator)) < 1e-9)
    }

    @Test(arguments: ["#: mein Lied", "#:", "#: end", "#:end", "#: ==", "#: größe=3", "#: @files", "#: # swing=60"])
    func `A comment that only looks like one of ours is a comment`(comment: String) throws {
        let plan = try PracticePlan(tempoMap: "\(comment)\n#: swing=60 sub=2\n\(comment)\n1 120\n\(comment)", file: "c")
        #expect(plan.sections.count == 1 && plan.sections[0].swing.share == Ratio(3, 5))
    }

    @Test func `Volumes of many digits are read, above 1 too`() throws {
        let plan = try PracticePlan(tempoMap: "1 120 0.1234567890123\n1 120 2000", file: "v")
        #expect(abs(plan.sections[0].volume - 0.1234567890123) < 5e-10)
        #expect(try strokes(of: plan).map(\.volume).max() == 2_000)
    }

    /// The map, its bars in the order of playing, and the run with which it begins again.
    struct Repeats: Sendable, CustomTestStringConvertible {
        let map: String
        let runs: [[Int64]]
        var again: Int?
        var testDescription: String { map }
    }

    @Test(arguments: [
        Repeats(map: "8 120\n8 3/4 90", runs: [[1, 16]]),
        Repeats(map: "repeat 2 {\n8 120\n}\n4 120", runs: [[1, 8], [1, 12]]),
        Repeats(
            map: "2 120\nrepeat 2 {\n1 120\nrepeat 3 {\n2 90\n}\n}",
            runs: [[1, 5], [4, 2], [4, 2], [3, 3], [4, 2], [4, 2]]),
        Repeats(map: "a: 4 120\nb: 4 120 -> a\n2 120", runs: [[1, 8], [1, 10]]),
        Repeats(map: "4 120\nrepeat * {\n3 120\n1 90\n}", runs: [[1, 4], [5, 4]], again: 1),
        Repeats(map: "4 120\n* 90", runs: [[1]]),
    ])
    func `The bars of a map are told in the order in which they are played`(_ repeats: Repeats) throws {
        let grid = try TempoMap.sections(parsing: "#!metronome 2\n" + repeats.map, file: "song", seed: 0)
        #expect(grid.order.runs.map { [$0.first] + ($0.count.map { [$0] } ?? []) } == repeats.runs)
        #expect(grid.order.again == repeats.again)
        #expect(grid.order.isAsWritten == (repeats.runs.count == 1))
        // As many bars as the plan plays, and the same at another tempo.
        let bars = grid.order.runs.reduce(Int64(0)) { $0 + ($1.count ?? 0) }
        #expect(bars == grid.plan.sections.reduce(Int64(0)) { $0 + ($1.bars ?? 0) } + (repeats.runs == [[1]] ? -4 : 0))
        let slow = try #require(Ratio(1, 2).flatMap { grid.scaled(by: $0) })
        #expect(slow.order == grid.order)
        #expect(try grid.playing(grid.plan).order == grid.order)
    }
}
