import ArgumentParser
import Figures
import Foundation
import Kernels
import Rivals
import Synchronization
import WellTempered

/// `bench hops`: how long a hop of the tuner and a block of the metronome take while time goes on as it does live,
/// idle, without sleep, and with every core kept busy by somebody else.
struct HopTimes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hops", abstract: "Time per hop against its budget, idle and with all cores loaded.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "Seconds per run.") var seconds = 15.0

    private static let hop = 256
    private static let budget = 1e6 * 256 / 48_000.0

    func run() throws {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let idle = try times(sleeps: true)
        let awake = try times(sleeps: false)
        let spinners = Spinners(count: cores)
        let loaded = try times(sleeps: true)
        spinners.stop()
        let runs = [("idle", idle), ("idle, without sleep", awake), ("\(cores) cores loaded", loaded)]
        let rows = runs.flatMap { name, times in
            [
                ("tuner, \(name)", times.tuner), ("metronome, \(name)", times.metronome),
                ("woken late by, \(name)", times.late), ("due to both done, \(name)", times.done),
                ("arithmetic, \(name)", times.arithmetic),
            ]
            .map { label, values in
                [label] + [0.5, 0.99, 1].map { short(percentile(values, $0)) }
                    + [short(100 * percentile(values, 1) / Self.budget) + " %"]
                    + ["\(values.count { $0 > Self.budget })", grouped(Double(values.count))]
            }
        }
        func missed(_ times: Times) -> Int { times.done.count { $0 > Self.budget } }
        try Part(
            tables: [
                Part.Table(
                    title: "Time per hop against its budget",
                    text:
                        "Microseconds by the wall clock that `process` of 256 samples takes in a thread that sleeps "
                        + "until each block is due (5,333 µs: the budget), without priority: the tuner on a new note "
                        + "every half second, the metronome on sixteenths at 300 per minute. Loaded: as many endless "
                        + "loops as there are cores. \"woken late by\" is the system's doing; \"due to both done\" is "
                        + "that and the work of both together: what is over budget there missed its deadline. "
                        + "All hops count, the first ones too, which touch their memory for the first time. \"without "
                        + "sleep\": the thread asks the clock until the block is due, so that its core never sleeps, as "
                        + "it never does when loaded. What is slower when idle is so for want of that: a core that "
                        + "wakes has cold caches, and a slower clock too where \"arithmetic\" (1,000 numbers that "
                        + "hardly touch memory) is also slower.",
                    columns: ["", "median", "p99", "most", "most / budget", "over budget", "hops"], rows: rows,
                    command: "bench hops")
            ],
            summary: [
                "A hop of the tuner (budget 5,333 µs): median \(short(median(idle.tuner))), p99 "
                    + "\(short(percentile(idle.tuner, 0.99))), most \(short(percentile(idle.tuner, 1))) µs; with all "
                    + "cores loaded p99 \(short(percentile(loaded.tuner, 0.99))), most "
                    + "\(short(percentile(loaded.tuner, 1))) µs; not done when the next was due: \(missed(idle)), "
                    + "loaded \(missed(loaded)) of \(grouped(Double(idle.done.count))) hops."
            ]
        ).save(as: "hops", in: options.results)
    }

    private struct Times {
        var (tuner, metronome, late, done) = ([Double](), [Double](), [Double](), [Double]())
        /// Of work that reads and writes no memory to speak of: slower only where the processor's clock is.
        var arithmetic: [Double] = []
    }

    private func times(sleeps: Bool) throws -> Times {
        let samples = [41, 82, 147, 247, 440, 880].flatMap { note in
            TestTone(frequency: Double(note)).block(23_520, after: 480)
        }
        var tuner = try TunerEngine(sampleRate: 48.0.kilohertz)
        let plan = try PracticePlan(tempo: Tempo(300), subdivision: Subdivision(4))
        var metronome = try Metronome(plan, sampleRate: 48.kilohertz, eventCapacity: 1_024)
        var block = [Float](repeating: 0, count: Self.hop)
        let blocks = samples.count / Self.hop
        let count = Int(seconds * 1e6 / Self.budget)
        var times = Times()
        var numbers = SeededNumbers(seed: 1)
        let start = wallTime()
        for index in 0..<count {
            let due = start + Double(index + 1) * Self.budget * 1e-6
            var wait = due - wallTime()
            while wait > 0 {
                defer { wait = due - wallTime() }
                guard sleeps else { continue }
                var time = timespec(tv_sec: 0, tv_nsec: Int(wait * 1e9))
                nanosleep(&time, nil)
            }
            let woken = wallTime()
            let from = Self.hop * (index % blocks)
            tuner.process(samples.span.extracting(from..<(from + Self.hop)))
            while let reading = tuner.nextReading() { blackHole(reading.frequency.value) }
            let heard = wallTime()
            var span = block.mutableSpan
            metronome.engine.render(into: &span)
            let rendered = wallTime()
            blackHole((0..<1_000).reduce(0) { sum, _ in sum + numbers.uniform() })
            times.arithmetic.append((wallTime() - rendered) * 1e6)
            while let beat = metronome.events.pop() { blackHole(beat.tempo) }
            times.late.append((woken - due) * 1e6)
            times.tuner.append((heard - woken) * 1e6)
            times.metronome.append((rendered - heard) * 1e6)
            times.done.append((rendered - due) * 1e6)
        }
        return times
    }
}

/// Threads that do nothing useful as fast as they can.
private final class Spinners: Sendable {
    private let isOver = Atomic(false)

    init(count: Int) {
        for _ in 0..<count {
            Thread.detachNewThread { [self] in while !isOver.load(ordering: .relaxed) {} }
        }
    }
    func stop() { isOver.store(true, ordering: .relaxed) }
}
