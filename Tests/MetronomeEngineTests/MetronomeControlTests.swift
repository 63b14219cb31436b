import MetronomeEngine
import Notation
import Synthesis
import TestPlans
import TestSignals
import Testing
import Timebase

@Suite struct MetronomeControlTests {
    @Test func `A new tempo is heard from the next beat on, which stays where it was`() throws {
        var sent: [Bool] = []
        var other = try plan("97.3")
        other.end = nil
        let slower = other
        // Block 23 of 1,000 frames begins at frame 23,000: between beats 0 and 1.
        let (_, strokes) = try rendering(try plan("120"), frames: 400_000, blocks: [1_000]) { turn, control in
            if turn == 23 { sent.append(try control.change(to: slower)) }
        }
        // Beat 1 at 24,000; from there k · 60 · 48,000 / 97.3 frames, rounded, half upwards.
        let exact = [0] + (0..<12).map { k in 24_000 + (2 * k * 28_800_000 + 973) / (2 * 973) }
        #expect(strokes.prefix(13).map { Int($0.frame) } == exact)
        #expect(strokes.prefix(6).map(\.beat) == [1, 2, 3, 4, 1, 2])
        #expect(strokes.prefix(6).map(\.bar) == [1, 1, 1, 1, 2, 2])
        #expect(!sent.isEmpty && sent.allSatisfy { $0 })
    }

    @Test func `The exact remainder goes with every live change of tempo`() throws {
        var sent: [Bool] = []
        var random = SeededGenerator(seed: 31)
        for _ in 0..<100 {
            var tempi = (0..<8).map { _ in Ratio(Int64.random(in: 600...4_000, using: &random), 10) ?? Ratio(120) }
            tempi.insert(Ratio(1_337, 10) ?? Ratio(133), at: 0)
            let plans = try tempi.map { try PracticePlan(tempo: try Tempo($0)) }
            var changes: [(turn: Int, plan: Int)] = []
            let (_, strokes) = try rendering(plans[0], sampleRate: 8_000, frames: 80_000, blocks: [80]) {
                turn, control in
                if turn % 100 == 50, turn / 100 + 1 < plans.count {
                    let number = turn / 100 + 1
                    sent.append(try control.change(to: plans[number]))
                    changes.append((turn, number))
                }
            }
            // The exact sum of periods, each tempo from the first beat at or after its command's block on.
            var (whole, above, below) = (Int64(0), Int128(0), Int128(1))
            var (current, next) = (0, 0)
            var exact: [Int64] = []
            while exact.count < strokes.count {
                let nearest = whole + (2 * above >= below ? 1 : 0)
                while next < changes.count, nearest >= Int64(changes[next].turn * 80) {
                    current = changes[next].plan
                    next += 1
                }
                exact.append(nearest)
                let tempo = tempi[current]
                // The sum would outgrow 128 bits with so many tempi: keep it as a sum of fractions over 2·3·5·… is what
                // the code under test may not do either, so reduce.
                let (stepAbove, stepBelow) = (Int128(60 * 8_000) * Int128(tempo.denominator), Int128(tempo.numerator))
                (above, below) = (above * stepBelow + stepAbove * below, below * stepBelow)
                let divisor = gcd(above, below)
                (above, below) = (above / divisor, below / divisor)
                whole += Int64(above / below)
                above %= below
            }
            #expect(strokes.map(\.frame) == exact)
        }
        #expect(!sent.isEmpty && sent.allSatisfy { $0 })
    }

    @Test func `Stop is silence within a millisecond, start begins anew with bar 1`() throws {
        var sent: [Bool] = []
        let (samples, strokes) = try rendering(try plan("120"), frames: 96_000, blocks: [480]) { turn, control in
            if turn == 1 { sent.append(control.stop()) }
            if turn == 100 { sent.append(control.start()) }
        }
        #expect(samples.prefix(480).contains { abs($0) > 0.5 })
        #expect(samples[528..<48_000].allSatisfy { $0 == 0 })
        #expect(strokes.map(\.frame) == [0, 48_000, 72_000])
        #expect(strokes.map(\.bar) == [1, 1, 1] && strokes.map(\.beat) == [1, 1, 2])
        #expect(!sent.isEmpty && sent.allSatisfy { $0 })
    }

    @Test func `A limit of time counts anew from each start`() throws {
        let plan = try plan("120") { $0.end = .time(try Duration(parsing: "2")) }
        let (samples, strokes) = try rendering(plan, frames: 480_000, blocks: [480]) { turn, control in
            if turn == 50 { control.stop() }
            if turn == 100 { control.start() }
            // After its end as well.
            if turn == 600 { control.start() }
        }
        let starts = [Int64(0), 48_000, 288_000]
        #expect(strokes.filter { !$0.isEnd && $0.beat == 1 }.map(\.frame) == starts)
        #expect(strokes.filter(\.isEnd).map(\.frame) == [144_000, 384_000])
        #expect(strokes.count == 1 + 4 + 4 + 2)
        #expect(samples[48_000..<48_480].contains { abs($0) > 0.5 } && samples[384_000...].allSatisfy { $0 == 0 })
    }

    @Test func `A plan with more voices is heard with all of them, or refused`() throws {
        let more = try plan("120") { $0.cross = try .polyrhythm(CrossRhythm.voices(parsing: "4:3")) }
        var refusals: [PlanError] = []
        for voices in [1, 2, 99] {
            let result = try rendering(
                try plan("120"), frames: 192_000, blocks: [480], sounds: [.voice(.woodBlock), .voice(.cowbell)],
                voiceCount: voices
            ) { turn, control in
                guard turn == 50 else { return }
                do throws(PlanError) { try control.change(to: more, .nextBar) } catch { refusals.append(error) }
            }
            // From bar 2 on, at 96,000, the bar of two seconds in three.
            let cross = result.strokes.filter { $0.layer == 1 }.map { Int($0.frame) }
            #expect(cross == (voices == 1 ? [] : [96_000, 128_000, 160_000]))
            for frame in cross { #expect(result.samples[frame..<(frame + 480)].contains { abs($0) > 0.02 }) }
            #expect(result.samples.allSatisfy { abs($0) <= safePeak })
        }
        #expect(refusals == [.voicesWithoutSound(ready: 1)])
    }

    @Test func `What waits for a beat is done with a stop, not after the next start`() throws {
        let faster = try plan("240")
        for stop in [CommandMoment.atOnce, .nextBeat] {
            let (_, strokes) = try rendering(try plan("120"), frames: 96_000, blocks: [480]) { turn, control in
                if turn == 10 {
                    control.jump(toBar: 9, .nextBar)
                    try control.change(to: faster, .nextBar)
                }
                if turn == 20 { control.stop(stop) }
                if turn == 100 { control.start() }
            }
            #expect(strokes.map(\.bar) == [1, 1, 1, 1, 1])
            #expect(strokes.map(\.frame) == [0, 48_000, 60_000, 72_000, 84_000])
        }
    }

    @Test func `A held key leaves room for what comes after it`() throws {
        let plans = try (0..<150).map { try plan("\(121 + $0)") }
        var sent: [Bool] = []
        let (_, strokes) = try rendering(try plan("30"), frames: 480_000, blocks: [480]) { turn, control in
            // The beat at hand lasts until frame 96,000.
            if (1...150).contains(turn) {
                sent.append(try control.change(to: plans[turn - 1]))
                sent.append(control.setVolume(Double(turn) / 150, .nextBeat))
            }
            if turn == 151 { sent.append(control.stop()) }
        }
        #expect(sent.count == 301 && sent.allSatisfy { $0 })
        #expect(strokes.map(\.frame) == [0])
    }

    @Test func `Mute counts and shows, volume scales, both without moving a beat`() throws {
        let plain = try rendering(try plan("120"), frames: 192_000, blocks: [480])
        let muted = try rendering(try plan("120"), frames: 192_000, blocks: [480]) { turn, control in
            if turn == 60 { control.mute(true, .nextBar) }
            if turn == 110 { control.setVolume(0.5, .nextBeat) }
            if turn == 240 { control.mute(false) }
        }
        #expect(muted.strokes.map(\.frame) == plain.strokes.map(\.frame))
        // Bar 2 begins with beat 5 at 96,000; unmuted at 115,200, before beat 6 at 120,000.
        #expect(muted.strokes.map(\.isMuted) == (0..<8).map { $0 == 4 })
        #expect(muted.samples[96_000..<115_200].allSatisfy { $0 == 0 })
        let (loud, soft) = (
            plain.samples[72_000..<72_480].map(abs).max() ?? 0, muted.samples[72_000..<72_480].map(abs).max() ?? 0
        )
        #expect(loud > 0.3 && abs(soft / loud - 0.5) < 1e-5)
    }

    @Test func `Another sound is struck from the next beat on, to the bit as if it had been there from the beginning`()
        throws
    {
        let recorded = ClickSound.recorded(RecordedClick(name: "r", samples: (0..<400).map { 1 - Float($0) / 400 }))
        let plan = try plan("120") { $0.cross = .polyrhythm([2, 3]) }
        func alone(_ sound: ClickSound) throws -> [Float] {
            try rendering(plan, frames: 144_000, sounds: [sound, .voice(.cowbell)]).samples
        }
        let (wood, clave, own) = (
            try alone(.voice(.woodBlock)), try alone(.voice(.clave)), try alone(recorded)
        )
        // Bars of two seconds; a block of 480 frames before the bars at 48,000 and 96,000, and a choice that there is not.
        let mixed = try rendering(
            plan, frames: 144_000, blocks: [480], sounds: [.voice(.woodBlock), .voice(.cowbell)],
            choices: [.voice(.clave), recorded]
        ) { turn, control in
            if turn == 99 { control.choose(sound: 2) }
            if turn == 150 { control.choose(sound: 3) }
            if turn == 199 { control.choose(sound: 1) }
        }
        #expect(wood.contains { abs($0) > 0.3 } && wood[48_000...] != own[48_000...] && own != clave)
        #expect(Array(mixed.samples[..<47_952]) == Array(wood[..<47_952]))
        #expect(Array(mixed.samples[60_000..<95_952]) == Array(own[60_000..<95_952]))
        #expect(Array(mixed.samples[110_000...]) == Array(clave[110_000...]))
    }

    @Test func `A nudge moves what comes, exactly, and never before the present`() throws {
        let (_, strokes) = try rendering(try plan("120"), frames: 240_000, blocks: [480]) { turn, control in
            if turn == 10 { control.nudge(by: .milliseconds(5)) }
            if turn == 110 { control.nudge(by: .milliseconds(-10)) }
            // 960 frames before the beat at 143,760, half a second back.
            if turn == 297 { control.nudge(by: .milliseconds(-500)) }
        }
        #expect(
            strokes.map(\.frame) == [
                0, 24_240, 48_240, 71_760, 95_760, 119_760, 142_560, 166_560, 190_560, 214_560, 238_560,
            ])
    }

    @Test func `A jump goes on at the label with the next beat or bar`() throws {
        var sent: [Bool] = []
        let song = try PracticePlan(tempoMap: "a: 8 120\nb: 8 240\nc: 2 3/4 60\n", file: "song")
        let (_, strokes) = try rendering(song, frames: 480_000, blocks: [480]) { turn, control in
            if turn == 30 {
                sent.append(control.jump(to: "b"))
                sent.append(!control.jump(to: "nowhere"))
            }
            if turn == 160 { sent.append(control.jump(to: "c", .nextBar)) }
        }
        #expect(strokes.prefix(3).map(\.bar) == [1, 9, 9])
        #expect(strokes.prefix(3).map(\.frame) == [0, 24_000, 36_000])
        // At 76,800 in bar 10, which began at 72,000 and ends at 120,000.
        let inC = strokes.filter { $0.bar >= 17 && !$0.isEnd }
        #expect(inC.map(\.frame) == [120_000, 168_000, 216_000, 264_000, 312_000, 360_000])
        #expect(strokes.last?.isEnd == true && strokes.last?.frame == 408_000)
        #expect(!sent.isEmpty && sent.allSatisfy { $0 })
    }

    /// The soft voice, or a recording of it, which is struck a little before its frame.
    func softSound(isRecorded: Bool) throws -> ClickSound {
        let voice = ClickSound.voice(.soft)
        if !isRecorded { return voice }
        let strokes = try rendering(try plan("60"), sampleRate: 16_000, frames: 8_000, sounds: [voice])
        return .recorded(RecordedClick(name: "soft", samples: strokes.samples))
    }

    @Test(arguments: [false, true])
    func `Random commands never crack, never pass -1 dBFS, never strike twice at once`(isRecorded: Bool) throws {
        var random = SeededGenerator(seed: 32)
        let plans = try ["60", "97.3", "300", "80..200/3b", "120"].map { text in
            try plan(text) { $0.subdivision = try Subdivision(Int.random(in: 1...4, using: &random)) }
        }
        let sounds = [try softSound(isRecorded: isRecorded)]
        let lone = steepest(try rendering(plans[0], sampleRate: 16_000, frames: 4_000, sounds: sounds).samples)
        #expect(lone > 0.1 && lone < 0.4)
        // The filter of a recording is slow where nothing is optimised.
        for turn in 0..<(isRecorded ? 12 : 100) {
            let (samples, strokes) = try rendering(
                plans[turn % plans.count], sampleRate: 16_000, frames: 80_000, blocks: [256], sounds: sounds
            ) {
                _, control in
                switch Int.random(in: 0..<24, using: &random) {
                case 0:
                    let moment: CommandMoment = Bool.random(using: &random) ? .atOnce : .nextBeat
                    try control.change(to: plans[Int.random(in: 0..<plans.count, using: &random)], moment)
                case 5: control.jump(toBar: Int64.random(in: 1...9, using: &random), .atOnce)
                case 1: control.nudge(by: .milliseconds(Int.random(in: -40...40, using: &random)))
                case 2: control.jump(toBar: Int64.random(in: 1...9, using: &random), .nextBeat)
                case 3: control.mute(Bool.random(using: &random))
                case 4: control.setVolume(Double.random(in: 0...1, using: &random), .nextBar)
                default: break
                }
            }
            #expect(strokes.count > 3)
            #expect((samples.map(abs).max() ?? 0) <= safePeak)
            // One click changes by `lone` from sample to sample at most; a fade of 16 samples adds a 16th of its height. A
            // click cut off would fall by its height at once.
            #expect(steepest(samples) < lone + 0.8 / 16, "case \(turn), seed 32")
            let frames = strokes.filter { !$0.isEnd }.map(\.frame)
            // 60 / 300 / 4 s are 2,400 frames; a nudge of 40 ms takes 1,920 of them at most, several in a row all.
            let twice = zip(frames, frames.dropFirst()).count { $1 <= $0 }
            #expect(twice == 0, "case \(turn), seed 32")
        }
    }

    func steepest(_ samples: [Float]) -> Float {
        var (steepest, before): (Float, Float) = (0, 0)
        for sample in samples {
            steepest = max(steepest, abs(sample - before))
            before = sample
        }
        return steepest
    }

    func gcd(_ a: Int128, _ b: Int128) -> Int128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }
}
