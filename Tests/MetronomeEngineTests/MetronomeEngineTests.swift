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

@Suite struct MetronomeEngineTests {
    @Test(arguments: ClickPlacement.allCases)
    func `Ten minutes at 97.3 beats per minute have every click on its exact frame`(placement: ClickPlacement) throws {
        let sampleRate = 44_100
        let (samples, strokes) = try rendering(
            try plan("97.3"), sampleRate: sampleRate, frames: 600 * sampleRate, blocks: [8_192], placement: placement)
        // 973 beats in ten minutes, the last one before the end.
        #expect(strokes.count == 973)
        // Clicks found in the sound itself: the first sample that is not zero after a twentieth of a second of nothing.
        var onsets: [Int] = []
        var quiet = sampleRate
        for (index, sample) in samples.enumerated() {
            if sample == 0 {
                quiet += 1
            } else {
                if quiet > sampleRate / 20 { onsets.append(index) }
                quiet = 0
            }
        }
        let exact = (0..<973).map { k in (2 * k * 60 * sampleRate * 10 + 973) / (2 * 973) }
        #expect(onsets == exact)
        #expect(strokes.map { Int($0.frame) } == exact)
        #expect(strokes.map { Int($0.beat) } == (0..<973).map { $0 % 4 + 1 })
        #expect(strokes.map { Int($0.bar) } == (0..<973).map { $0 / 4 + 1 })
        #expect(strokes.allSatisfy { ($0.level == .accent) == ($0.beat == 1) })
    }

    @Test func `Each click lies at its instant to a hundredth of a sample, by the phase of the cross-spectrum`() throws
    {
        let sampleRate = 44_100
        let (samples, strokes) = try rendering(
            try plan("97.3") { $0.accents = AccentPattern.none }, sampleRate: sampleRate, frames: 60 * sampleRate)
        #expect(strokes.count == 98 && (samples.map(abs).max() ?? 0) > 0.3)
        var worst = 0.0
        for k in stride(from: 1, to: 97, by: 4) {
            let exact = Double(k * 60 * sampleRate) / 97.3
            let frame = Int(exact.rounded())
            let late = Array(samples[frame..<(frame + 1_024)])
            let found = delay(of: late, after: Array(samples.prefix(1_024)))
            worst = max(worst, abs(found - (exact - Double(frame))))
        }
        print("97.3 BPM at 44,100 Hz: sub-sample error at most \(worst) samples")
        #expect(worst <= 0.01)
    }

    @Test func `Any block sizes give the same samples to the bit`() throws {
        var random = SeededGenerator(seed: 1)
        let recording = RecordedClick(
            name: "noise", samples: (0..<700).map { _ in Float.random(in: -1...1, using: &random) })
        var loudest: Float = 0
        for turn in 0..<100 {
            let tempo = ["133.7", "97.3", "100/3", "90..240/2b", "1000", "300-60/0.02"][turn % 6]
            let plan = try plan(tempo) {
                $0.subdivision = try Subdivision(2 * Int.random(in: 1...6, using: &random))
                $0.swing = try Swing(parsing: "62.5")
                $0.cross = .polyrhythm([Int.random(in: 2...5, using: &random), 7])
                $0.mutes = try RandomMute(percent: Ratio(20), seed: random.next())
            }
            let placement: ClickPlacement = turn.isMultiple(of: 2) ? .nearestFrame : .exact
            let sounds: [ClickSound] = [
                .voice(ClickVoice.all[turn % ClickVoice.all.count]), .recorded(recording),
            ]
            let blocks = (0..<20).map { _ in Int.random(in: 1...8_192, using: &random) }
            let whole = try rendering(plan, frames: 24_000, blocks: [8_192], sounds: sounds, placement: placement)
            let cut = try rendering(plan, frames: 24_000, blocks: blocks, sounds: sounds, placement: placement)
            let single =
                turn < 4 ? try rendering(plan, frames: 3_000, blocks: [1], sounds: sounds, placement: placement) : nil
            loudest = max(loudest, whole.samples.map(abs).max() ?? 0)
            #expect(cut.samples == whole.samples && cut.strokes == whole.strokes, "case \(turn), seed 1")
            if let single { #expect(single.samples == Array(whole.samples.prefix(3_000))) }
        }
        #expect(loudest > 0.3 && loudest <= safePeak)
    }

    @Test func `A plan rendered from any bar is the tail of the whole, with what still rings, to the bit`() throws {
        let seed: UInt64 = 2
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let gong = RecordedClick(
            name: "gong", samples: (0..<4_000).map { Float.random(in: -1...1, using: &random) / Float(1 + $0 / 1_000) }
        )
        var ringing = 0
        for turn in 0..<100 {
            let plan = try plan(["197.3", "61.7", "1000/3", "160..390/5b", "280-360/0.3"][turn % 5]) {
                $0.accents = .every(Int.random(in: 1...3, using: &random))
                $0.gap = try GapPlan(parsing: "2:1")
                $0.mutes = try RandomMute(percent: Ratio(30), seed: random.next())
                $0.cross = turn % 4 > 1 ? .polyrhythm([5, 3, 7]) : nil
                $0.end = .bars(6)
            }
            let placement: ClickPlacement = turn.isMultiple(of: 2) ? .nearestFrame : .exact
            let sounds: [ClickSound] = [
                turn % 10 == 0 ? .recorded(gong) : .voice(ClickVoice.all[turn % ClickVoice.all.count]),
                .voice(.cowbell), turn % 10 == 5 ? .recorded(gong) : .voice(.hiHat),
            ]
            let length = Int(try BeatSchedule(plan, sampleRate: 8.kilohertz).endFrame ?? 0)
            let whole = try rendering(plan, sampleRate: 8_000, frames: length, sounds: sounds, placement: placement)
            let bar = Int64.random(in: 2...6, using: &random)
            let strokes = whole.strokes.filter { $0.bar >= bar }
            let start = Int(try #require(strokes.first).frame)
            // A frame before the first stroke of the bar nothing of that is heard yet, but for a recording's lead.
            ringing += whole.samples[start - 1] == 0 ? 0 : 1
            var entered = plan
            entered.entryBar = bar
            let tail = try rendering(
                entered, sampleRate: 8_000, frames: length - start, sounds: sounds, placement: placement)
            #expect(tail.samples == Array(whole.samples.dropFirst(start)), "case \(turn), seed \(seed)")
            #expect(tail.strokes.filter { !$0.isEnd } == strokes, "case \(turn), seed \(seed)")
        }
        #expect(ringing > 30)
    }

    @Test func `An engine that enters at a bar reports every stroke from there on`() throws {
        var block = [Float](repeating: 0, count: 8_000)
        var span = block.mutableSpan
        for (bar, frame) in [(Int64(9), 64_000), (5, 32_000), (1, 0)] {
            var entered = try plan("240")
            entered.entryBar = bar
            var metronome = try Metronome(entered, sampleRate: 8.kilohertz)
            #expect(metronome.engine.position == frame)
            metronome.engine.render(into: &span)
            var found: [Int64] = []
            while let stroke = metronome.events.pop() { found.append(stroke.frame) }
            #expect(found == (0..<4).map { Int64(frame + 2_000 * $0) }, "bar \(bar)")
        }
    }

    @Test func `Rendering a thousand blocks makes no heap call, commands included`() throws {
        allocation_probe_reset()
        let seen = [Int](repeating: 1, count: Int.random(in: 1_000...1_001))
        #expect(allocation_probe_count() != 0 && seen.count >= 1_000)

        let busy = try plan("1000") {
            $0.subdivision = try Subdivision(12)
            $0.cross = .polyrhythm([4, 3, 5])
            $0.gap = try GapPlan(parsing: "3:1")
            $0.mutes = try RandomMute(percent: Ratio(10), seed: 3)
        }
        let calm = try plan("80..160/2b")
        var metronome = try Metronome(
            busy, sampleRate: 48.kilohertz,
            sounds: [.voice(.hiHat), .recorded(RecordedClick(name: "r", samples: [1, 0.5, 0.25])), .voice(.cowbell)],
            choices: [.voice(.clave), .recorded(RecordedClick(name: "c", samples: [1, -1]))],
            eventCapacity: 16_384)
        var block = [Float](repeating: 0, count: 256)
        var span = block.mutableSpan
        var calls = 0
        for turn in 0..<1_000 {
            // The controlling side may allocate; the probe counts around the render alone.
            switch turn % 50 {
            case 10: try metronome.control.change(to: turn.isMultiple(of: 100) ? calm : busy)
            case 20: metronome.control.nudge(by: .milliseconds(3))
            case 30: metronome.control.jump(toBar: 2)
            case 40: metronome.control.mute(turn % 100 < 50)
            case 45: metronome.control.choose(sound: turn / 50 % 4)
            default: break
            }
            allocation_probe_reset()
            metronome.engine.render(into: &span)
            calls += Int(allocation_probe_count())
        }
        #expect(calls == 0)
        #expect(metronome.engine.position == 256_000)
    }

    @Test func `A full ring loses events, not time`() throws {
        let plan = try plan("600") { $0.accents = .every(2) }
        var metronome = try Metronome(plan, sampleRate: 8.kilohertz, eventCapacity: 2)
        var block = [Float](repeating: 0, count: 8_000)
        var span = block.mutableSpan
        metronome.engine.render(into: &span)
        #expect(metronome.engine.lostEventCount == 8)
        #expect(metronome.engine.position == 8_000)
    }

    @Test func `The end of a plan is told once, at its frame`() throws {
        for (end, frame) in [(PlanEnd.bars(2), 192_000), (.time(try Duration(parsing: "1.5")), 72_000)] {
            let (_, strokes) = try rendering(try plan("120") { $0.end = end }, frames: 240_000, blocks: [1_000])
            #expect(strokes.filter(\.isEnd).map(\.frame) == [Int64(frame)])
            #expect(strokes.last?.isEnd == true && strokes.count == frame / 24_000 + 1)
        }
    }

    @Test func `Three voices, twelve parts and a thousand beats a minute stay below -1 dBFS`() throws {
        for voice in ClickVoice.all {
            let plan = try plan("1000") {
                $0.subdivision = try Subdivision(parsing: "12:333333333333")
                $0.cross = .polyrhythm([4, 3, 5, 7])
                $0.accents = try AccentPattern(parsing: "XXXX")
            }
            for placement in ClickPlacement.allCases {
                let (samples, _) = try rendering(plan, frames: 96_000, sounds: [.voice(voice)], placement: placement)
                let peak = samples.map(abs).max() ?? 0
                #expect(peak > 0.1 && peak <= safePeak, "\(voice.name): \(peak)")
            }
        }
    }

    @Test(arguments: ["xxxx", "XXXX", "Xxxx"])
    func `A volume of 2 is twice as loud as one of 1, and none passes -1 dBFS`(accents: String) throws {
        for (volumes, isSofter) in [(["1", "2"], accents != "xxxx"), (["0.5", "1"], false), (["4", "8"], true)] {
            let text = volumes.map { "1 4/4 240 \(accents) \($0)" }.joined(separator: "\n")
            let both = try rendering(try PracticePlan(tempoMap: text, file: "v"), frames: 96_000).samples
            let peaks = [both.prefix(47_000), both.dropFirst(48_000)].map { $0.map(abs).max() ?? 0 }
            // Two fractions of a frame apart, no more: the clicks are the same.
            #expect(peaks[0] > 0.05 && abs(peaks[1] / peaks[0] - 2) < 1e-4, "\(accents) \(volumes): \(peaks)")
            #expect(peaks[1] <= safePeak)
            let alone = try PracticePlan(tempoMap: "1 4/4 240 \(accents) \(volumes[0])", file: "v")
            let single = try rendering(alone, frames: 47_000).samples.map(abs).max() ?? 0
            // Softer only where the louder half would not fit otherwise.
            #expect((single > 1.01 * peaks[0]) == isSofter)
        }
    }

    @Test func `Volumes above 1 stay below -1 dBFS with all voices, recordings and a change of plan`() throws {
        let map = "#: poly=4:3:5:7 sub=12:333333333333\n4 4/4 1000 XXxx 40\n1 4/4 1000 XXXX 3"
        let loud = try PracticePlan(tempoMap: map, file: "loud")
        let recording = RecordedClick(name: "r", samples: (0..<500).map { $0.isMultiple(of: 2) ? 0.9 : -0.7 })
        for sound in [ClickSound.voice(.hiHat), .voice(.woodBlock), .recorded(recording)] {
            let (samples, strokes) = try rendering(
                try plan("240"), frames: 96_000, sounds: [sound], voiceCount: 4,
                controlled: { turn, control in if turn == 4 { _ = try control.change(to: loud, .nextBeat) } })
            let peak = samples.map(abs).max() ?? 0
            #expect(strokes.contains { $0.volume == 40 } && peak > 0.3 && peak <= safePeak, "\(sound.name): \(peak)")
        }
    }
}
