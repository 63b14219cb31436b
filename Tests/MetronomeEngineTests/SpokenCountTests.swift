import CAllocationProbe
import MetronomeEngine
import Music
import Notation
import Realtime
import Synthesis
import TestPlans
import TestSignals
import Testing
import Timebase

/// What a metronome with a spoken count says, and when.
@Suite struct SpokenCountTests {
    private static let rate = 48_000
    private static let count = RecordedClick.englishCount(sampleRate: rate.hertz)

    /// The words of the first strokes of the beat; `-` where the metronome ticks.
    private func spoken(
        _ tempo: String, _ limit: Int, _ change: (inout PlanOptions) throws -> Void = { _ in }
    ) throws -> String {
        try strokes(tempo, limit: limit, change).filter { !$0.isEnd && $0.layer == 0 }
            .map { CountWord($0).map { CountWord.names[$0.index] } ?? "-" }.joined(separator: " ")
    }

    @Test(arguments: [
        ("4/4", 6, "1 2 3 4 1 2"), ("7/8", 8, "1 2 3 4 5 6 7 1"), ("12/8", 13, "1 2 3 4 5 6 7 8 9 10 11 12 1"),
        ("21/8", 22, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 7 8 9 10 1 1"), ("1/4", 6, "1 2 3 4 1 2"),
    ])
    func `Each beat says its number in the bar`(meter: String, limit: Int, words: String) throws {
        #expect(try spoken("60", limit) { $0.meter = try Meter(parsing: meter) } == words)
    }

    @Test(arguments: [
        (1, "1 2 3"), (2, "1 and 2 and 3 and"), (3, "1 trip let 2 trip let"), (4, "1 e and a 2 e and a"),
        (5, "1 - - - - 2"), (6, "1 trip let and trip let 2"), (8, "1 - e - and - a - 2"),
        (10, "1 - - - - and - - - - 2"),
        (12, "1 - - e - - and - - a - - 2"),
    ])
    func `Parts of a beat have the words of players`(parts: Int, words: String) throws {
        let said = try spoken("40", words.split(separator: " ").count) { $0.subdivision = try Subdivision(parts) }
        #expect(said == words)
    }

    @Test func `Dotted beats in three are one and a`() throws {
        #expect(try spoken("4.=50", 6) { $0.subdivision = try Subdivision(3) } == "1 and a 2 and a")
    }

    @Test func `A count-in counts, also one of bars of another number`() throws {
        #expect(
            try spoken("60", 9) {
                $0.meter = try Meter(parsing: "3/4")
                $0.countIn = .bars(2)
            } == "1 2 3 1 2 3 1 2 3")
        #expect(
            try spoken("60", 8) {
                $0.subdivision = try Subdivision(2)
                $0.countIn = .beats(2)
            } == "1 2 1 and 2 and 3 and")
    }

    @Test func `Where words have no time, the first of a bar is left, and then none`() throws {
        // Sixteenths at 120 BPM are 125 ms, beats at 300 BPM 200 ms.
        #expect(try spoken("120", 5) { $0.subdivision = try Subdivision(4) } == "1 e and a 2")
        #expect(try spoken("121", 5) { $0.subdivision = try Subdivision(4) } == "1 - - - 2")
        #expect(try spoken("300", 5) == "1 2 3 4 1")
        #expect(try spoken("301", 9) == "1 - - - 1 - - - 1")
        #expect(try spoken("301", 4) { $0.meter = try Meter(parsing: "1/4") } == "1 - - -")
        #expect(try spoken("1000", 5) { $0.meter = try Meter(parsing: "3/4") } == "- - - - -")
        // The time of a beat in the note that the tempo counts.
        #expect(try spoken("4.=90", 3) { $0.meter = try Meter(parsing: "6/8") } == "1 2 3")
        #expect(try spoken("4.=101", 3) { $0.meter = try Meter(parsing: "6/8") } == "1 - -")
    }

    @Test(arguments: ["60", "97.3", "133.7"], ClickPlacement.allCases)
    func `The instant of each word lies on its beat`(tempo: String, placement: ClickPlacement) throws {
        let rate = Self.rate
        let plan = try plan(tempo) { $0.subdivision = try Subdivision(2) }
        let (samples, strokes) = try rendering(
            plan, frames: 10 * rate, blocks: [777], sounds: [.recorded(Self.count)], placement: placement)
        var (worst, compared) = (0.0, 0)
        for stroke in strokes.dropFirst() where stroke.frame < 9 * rate {
            let spoken = try #require(CountWord(stroke))
            let word = try #require(Self.count.words[spoken.index])
            // From the beginning of the word, for as long as every tempo here leaves it.
            let size = 4_096
            let early = Array(([Float](repeating: 0, count: 64) + word.samples).prefix(size))
            let begin = Int(stroke.frame) - word.instant - 64
            let found = delay(of: Array(samples[begin..<(begin + size)]), after: early, size: size, band: 0.3)
            worst = max(worst, abs(found - (placement == .exact ? stroke.fractionOfNearest : 0)))
            compared += 1
            // It is that word and no other: the same samples, four to eight decibels softer.
            let played = samples[begin..<(begin + size)]
            let product = zip(played, early).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            let squares = (
                played.reduce(0.0) { $0 + Double($1) * Double($1) }, early.reduce(0.0) { $0 + Double($1) * Double($1) }
            )
            #expect(
                product / (squares.0 * squares.1).squareRoot() > 0.97, "\(stroke.bar) \(stroke.beat) \(stroke.part)")
        }
        print("\(tempo) BPM, \(placement): \(compared) words, at most \(worst) samples from their beats")
        #expect(compared > 15 && worst < 0.1)
    }

    @Test func `The first word is whole if the metronome leads in, and begins with its vowel otherwise`() throws {
        let plan = try plan("60")
        var block = [Float](repeating: 0, count: 30_000)
        var span = block.mutableSpan
        var early = try Metronome(
            plan, sampleRate: Self.rate.hertz, sounds: [.recorded(Self.count)], leadsIn: true)
        let lead = -Int(early.engine.position)
        #expect(lead > Self.rate / 20 && lead < Self.rate / 10)
        early.engine.render(into: &span)
        let word = try #require(Self.count.words[0])
        let whole = Array(span.indices.map { span[$0] })
        let begin = lead - word.instant
        #expect(whole[..<(begin - 40)].allSatisfy { $0 == 0 })
        let gain = whole[lead] / word.samples[word.instant]
        // The delay filter ends the band at 0.9 of half the rate, where words at 16 kHz have nothing.
        #expect((0..<9_000).allSatisfy { abs(whole[begin + $0] - gain * word.samples[$0]) < 0.005 })

        var late = try Metronome(plan, sampleRate: Self.rate.hertz, sounds: [.recorded(Self.count)])
        #expect(late.engine.position == 0)
        late.engine.render(into: &span)
        // After the fade-in of 5 ms both are the same.
        #expect((240..<10_000).allSatisfy { span[$0] == whole[lead + $0] } && abs(span[0]) < 0.01)
        // Sounds that need no lead begin on the beat either way.
        let clicks = try Metronome(
            plan, sampleRate: Self.rate.hertz, choices: [.recorded(Self.count)], leadsIn: true)
        #expect(clicks.engine.position == 0)
    }

    @Test func `A count that is started or chosen while the metronome plays speaks on its beats`() throws {
        let rate = Self.rate
        let fast = try plan("150")
        var turns = 0
        let (samples, strokes) = try rendering(
            try plan("100"), frames: 12 * rate, blocks: [480], choices: [.recorded(Self.count)]
        ) { turn, control in
            turns += 1
            if turn == 130 { control.choose(sound: 1, .nextBar) }
            if turn == 400 { try control.change(to: fast, .atOnce) }
            if turn == 620 { control.stop() }
            if turn == 700 { control.start() }
            if turn == 900 { control.choose(sound: 0, .nextBeat) }
        }
        #expect(turns == 1_200)
        var (words, clicks, misplaced) = (0, 0, 0)
        for (number, stroke) in strokes.enumerated() where stroke.frame < 11 * rate {
            let next = number + 1 < strokes.count ? strokes[number + 1].frame : Int64(samples.count)
            let spoken = try #require(CountWord(stroke))
            let word = try #require(Self.count.words[spoken.index])
            // 100 ms from the instant, unless it is cut.
            let length = min(4_800, Int(next - stroke.frame) - 4_000)
            guard length > 2_400, !(610 * 480..<621 * 480).contains(Int(stroke.frame)) else { continue }
            let own = word.samples[word.instant...].prefix(length)
            let played = samples[Int(stroke.frame)...].prefix(length)
            func power(_ x: ArraySlice<Float>) -> Double { x.reduce(0) { $0 + Double($1) * Double($1) } }
            let product = zip(own, played).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            let likeness = product / (power(own) * power(played)).squareRoot()
            if likeness > 0.9 { words += 1 } else if abs(likeness) < 0.3 { clicks += 1 } else { misplaced += 1 }
        }
        print("\(words) words, \(clicks) clicks")
        #expect(words >= 12 && clicks >= 6 && misplaced == 0, "\(words), \(clicks), \(misplaced)")
    }

    @Test func `A stop silences a word within two milliseconds`() throws {
        for stop in stride(from: 20, to: 140, by: 7) {
            let (samples, _) = try rendering(
                try plan("120"), frames: 96_000, blocks: [480], sounds: [.recorded(Self.count)]
            ) { turn, control in
                if turn == stop { control.stop() }
            }
            #expect(samples[(stop * 480 + 96)...].allSatisfy { $0 == 0 }, "stopped at \(stop * 480)")
        }
    }

    @Test func `Any block sizes give the same words to the bit, below -1 dBFS`() throws {
        var random = SeededGenerator(seed: 14)
        var loudest: Float = 0
        for turn in 0..<60 {
            let tempo = ["133.7", "97.3", "60", "90..340/2b", "1000", "300-60/0.02"][turn % 6]
            let plan = try plan(tempo) {
                $0.subdivision = try Subdivision(Int.random(in: 1...12, using: &random))
                $0.cross = turn % 3 == 0 ? .polyrhythm([3, 5]) : nil
                $0.countIn = turn % 5 == 0 ? .bars(1) : nil
                $0.accents = .every(Int.random(in: 1...5, using: &random))
            }
            let placement: ClickPlacement = turn.isMultiple(of: 2) ? .nearestFrame : .exact
            let sounds: [ClickSound] = [.recorded(Self.count), .voice(.cowbell)]
            let blocks = (0..<20).map { _ in Int.random(in: 1...8_192, using: &random) }
            let whole = try rendering(plan, frames: 60_000, blocks: [8_192], sounds: sounds, placement: placement)
            let cut = try rendering(plan, frames: 60_000, blocks: blocks, sounds: sounds, placement: placement)
            #expect(whole.samples == cut.samples && whole.strokes == cut.strokes, "case \(turn), seed 14")
            loudest = max(loudest, whole.samples.map(abs).max() ?? 0)
        }
        #expect(loudest > 0.4 && loudest <= safePeak, "\(loudest)")
    }

    @Test func `A count rendered from any bar is the tail of the whole, to the bit`() throws {
        let plan = try plan("140") { $0.end = .bars(4) }
        let whole = try rendering(plan, frames: 300_000, sounds: [.recorded(Self.count)])
        for bar in Int64(2)...4 {
            var entered = plan
            entered.entryBar = bar
            let start = Int(try #require(whole.strokes.first { $0.bar == bar }).frame)
            let tail = try rendering(entered, frames: 300_000 - start, sounds: [.recorded(Self.count)])
            #expect(tail.samples == Array(whole.samples.dropFirst(start)), "bar \(bar)")
            #expect(tail.strokes == whole.strokes.filter { $0.bar >= bar || $0.isEnd })
        }
    }

    @Test func `Speaking makes no heap call, and the other voices tick`() throws {
        let plan = try plan("110") {
            $0.subdivision = try Subdivision(4)
            $0.cross = .polyrhythm([4, 3])
        }
        var metronome = try Metronome(
            plan, sampleRate: Self.rate.hertz, sounds: [.recorded(Self.count)], choices: [.voice(.clave)], leadsIn: true
        )
        var block = [Float](repeating: 0, count: 256)
        var span = block.mutableSpan
        var (calls, peak) = (0, Float(0))
        for turn in 0..<1_500 {
            if turn % 300 == 299 { metronome.control.choose(sound: turn / 300 % 2, .atOnce) }
            if turn % 400 == 399 { metronome.control.stop() }
            if turn % 400 == 5 { metronome.control.start() }
            allocation_probe_reset()
            metronome.engine.render(into: &span)
            calls += Int(allocation_probe_count())
            for i in span.indices { peak = max(peak, abs(span[i])) }
        }
        #expect(calls == 0 && peak > 0.1)
    }
}
