import MetronomeEngine
import Music
import Realtime
import Synthesis
import TestSignals
import Timebase

/// The metronome's engine for weeks: every frame is rendered, and every beat compared with exact integers.
final class MetronomeSoak: SoakPart {
    private static let rate = 48_000
    private var metronome: Metronome
    private var oracle: BeatOracle
    private var random = SeededGenerator(seed: 19)
    private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4_096)
    private let start: Int64
    private var (told, expected, missing, untold) = (0, 0, 0, 0)
    private var (faults, commands, refused) = (0, 0, 0)
    private var (worst, wrongFractions, badSamples) = (Int64(0), 0, 0)
    private var isNudged = false
    private var tempo = 1
    private var isRestarted = false

    /// A metronome at 120 beats per minute.
    ///
    /// - Parameter bar: where it begins; a bar has 96,000 frames.
    init(fromBar bar: Int64 = 1) throws {
        var plan = try PracticePlan(tempo: Tempo(120), meter: Meter(4, 4))
        if bar > 1 { plan.entryBar = bar }
        metronome = try Metronome(
            plan, sampleRate: Self.rate.hertz, choices: [.voice(.beep)], eventCapacity: 64)
        start = metronome.engine.position
        oracle = BeatOracle(sampleRate: Self.rate, tempo: BeatOracle.tempi[1], frame: start)
    }

    deinit { buffer.deallocate() }

    var title: String {
        "metronome: the engine at 48 kHz from frame \(start) on; every frame is rendered, nothing is skipped"
    }

    func runMinute(_ number: Int) throws {
        faults += 1
        run(frames: Int.random(in: 24_000...240_000, using: &random))
        switch number % 8 {
        case 0: skip(8_192)  // An xrun: the buffer is thrown away, and the plan goes on unheard.
        case 1: skip(20 * Self.rate)  // The device is gone for 20 s.
        case 2: try change(.nextBar, times: 1)
        case 3, 4: nudge()
        case 5: stopAndStart()
        case 6: stall()
        default:
            try change(.nextBeat, times: 100)  // A key that is held down.
            run(frames: 100_000)
            send(metronome.control.mute(true))
            send(metronome.control.setVolume(Double(number % 10) / 10))
            send(metronome.control.choose(sound: number / 8 % 2))
            run(frames: 100_000)
            send(metronome.control.mute(false))
        }
        run(frames: Int(start + Int64(number + 1) * 60 * Int64(Self.rate) - metronome.engine.position))
    }

    var counters: [(name: String, value: String)] {
        let frames = metronome.engine.position - start
        return [
            ("frames", "\(frames), up to frame \(metronome.engine.position)"),
            ("beats expected", "\(expected)"), ("beats told", "\(told)"),
            ("beats lost to a full ring", "\(untold), all counted by the engine"),
            ("beats missing", "\(missing)"), ("worst grid error", "\(worst) frames"),
            ("wrong fractions", "\(wrongFractions)"), ("faults", "\(faults)"),
            ("commands", "\(commands), \(refused) more refused, since 64 were under way"),
            ("samples not finite", "\(badSamples)"),
        ]
    }

    var complaints: [String] {
        var all: [String] = []
        if worst != 0 || wrongFractions != 0 { all.append("a beat is out of its place") }
        if missing != 0 || told + untold != expected { all.append("beats are missing") }
        if untold != metronome.engine.lostEventCount { all.append("the engine lost other beats than it counted") }
        if badSamples != 0 { all.append("a sample is not finite or above full scale") }
        return all
    }
}

extension MetronomeSoak {
    private func run(frames: Int, atMost size: Int = 4_096, listens: Bool = true) {
        var left = frames
        while left > 0 {
            let count = min(left, Int.random(in: 1...size, using: &random))
            render(count)
            left -= count
            if listens { compare() }
        }
    }

    /// What `FrameRenderer.skip` does.
    private func skip(_ frames: Int) {
        var left = frames
        while left > 0 {
            render(min(256, left))
            left -= 256
            compare()
        }
    }

    private func render(_ count: Int) {
        var span = UnsafeMutableBufferPointer(rebasing: buffer[..<count]).mutableSpan
        metronome.engine.render(into: &span)
        // The loudest sample of a click is near its beginning; a look at one place of each block costs nothing.
        let sample = buffer[count / 2]
        badSamples += abs(sample) <= 1 ? 0 : 1
    }

    private func compare() {
        while let event = metronome.events.pop() { accept(event) }
        // What is settled is told: at most a click's lead ahead.
        while !isRestarted, oracle.nearestFrame + 4_096 < metronome.engine.position {
            expected += 1
            missing += 1
            oracle.advance()
        }
    }

    private func accept(_ event: BeatEvent) {
        if isRestarted {
            // On the first frame that was not settled.
            oracle.restart(at: event.frame)
            isRestarted = false
        }
        expected += 1
        told += 1
        worst = max(worst, abs(event.frame - oracle.nearestFrame), abs(event.floorFrame - oracle.floorFrame))
        // Of a number below 1: 2⁻⁵³, and as much again in the oracle.
        if abs(event.fraction - oracle.fraction) > 0x1p-51 || Int(event.beat) != oracle.beat + 1 { wrongFractions += 1 }
        oracle.advance()
    }

    private func send(_ isSent: Bool) {
        commands += isSent ? 1 : 0
        refused += isSent ? 0 : 1
    }

    private func change(_ moment: CommandMoment, times: Int) throws {
        for _ in 0..<times {
            tempo = (tempo + 1) % BeatOracle.tempi.count
            guard let ratio = Ratio(BeatOracle.tempi[tempo], 10) else { continue }
            let plan = try PracticePlan(tempo: Tempo(ratio), meter: Meter(4, 4))
            let isSent = try metronome.control.change(to: plan, moment)
            if isSent { oracle.change(to: BeatOracle.tempi[tempo], onBar: moment == .nextBar) }
            send(isSent)
        }
    }

    /// 7 ms later, and the next time back: 336 frames.
    private func nudge() {
        // Just after a beat, so that the next one is far.
        let before = told
        while told == before { run(frames: 1_024, atMost: 1_024) }
        let isSent = metronome.control.nudge(by: .milliseconds(isNudged ? -7 : 7))
        if isSent { oracle.move(by: isNudged ? -336 : 336) }
        send(isSent)
        isNudged.toggle()
    }

    private func stopAndStart() {
        send(metronome.control.stop())
        run(frames: 1_024, atMost: 1_024)
        isRestarted = true
        run(frames: 3 * Self.rate)
        send(metronome.control.start())
    }

    /// Nobody takes events for 50 s: the ring is full after 64 of them.
    private func stall() {
        let before = metronome.engine.lostEventCount
        run(frames: 50 * Self.rate, listens: false)
        while let event = metronome.events.pop() { accept(event) }
        for _ in before..<metronome.engine.lostEventCount {
            expected += 1
            untold += 1
            oracle.advance()
        }
    }
}
