import ALSABackend
import AudioIO
import Pitch
import Realtime
import Synchronization
import TunerEngine

/// The thread that waits for samples, runs the engine and passes on the readings.
struct AnalysisThread: ~Copyable {
    private var readings: SPSCRing<PitchReading>.Consumer
    private let link: AnalysisLink
    private let thread: WorkerThread

    /// Starts the thread. It ends when the samples end or this value goes out of scope. Throws `ResourceError`.
    init(engine: consuming TunerEngine, samples: consuming CapturedSamples) throws {
        // 1,024 readings: more than a second of the shortest hop, should the terminal stall.
        let nothing = PitchReading(frame: 0, state: .silence, level: 0.0.decibels)
        let ring = SPSCRing<PitchReading>(minimumCapacity: 1_024, filler: nothing)
        let link = AnalysisLink(arrived: try WakeUp(), stop: try WakeUp())
        let started = try WorkerThread.start(
            "analysis", AnalysisWork(engine: engine, samples: samples, readings: ring.producer, link: link))
        readings = ring.consumer
        self.link = link
        thread = started
    }

    deinit { link.end() }

    var descriptor: Int32 { link.arrived.descriptor }

    /// Wakes the owner for readings from this frame on only: earlier ones are not drawn before.
    func rest(untilFrame frame: Int64) { link.restEnd.store(frame, ordering: .relaxed) }

    /// The frame of the newest clipped samples, once for each time that some were found.
    func takeClip() -> Int64? {
        let frame = link.clip.exchange(-1, ordering: .relaxed)
        return frame < 0 ? nil : frame
    }

    /// The oldest reading that was not taken yet.
    mutating func nextReading() -> PitchReading? {
        if let reading = readings.pop() { return reading }
        // Clears the wake-up and looks again, so that no reading that came between the two is missed.
        link.arrived.clear()
        return readings.pop()
    }
}

/// What the thread and its owner tell each other.
private final class AnalysisLink: Sendable {
    let arrived: WakeUp
    let stop: WakeUp
    let isEnded = Atomic<Bool>(false)
    /// Readings before this frame do not wake the owner.
    let restEnd = Atomic<Int64>(0)
    /// The frame of the newest clipped samples; -1 if they were reported.
    let clip = Atomic<Int64>(-1)

    init(arrived: consuming WakeUp, stop: consuming WakeUp) {
        self.arrived = arrived
        self.stop = stop
    }

    func end() {
        isEnded.store(true, ordering: .releasing)
        stop.ring()
    }
}

private struct AnalysisWork: ThreadWork, ~Copyable {
    var engine: TunerEngine
    var samples: CapturedSamples
    var readings: SPSCRing<PitchReading>.Producer
    let link: AnalysisLink
    /// Samples heard so far.
    var heard: Int64 = 0
    /// Those before the engine was reset last.
    var origin: Int64 = 0
    var clipping = ClippingDetector()

    mutating func run(at priority: WorkerThread.Priority) {
        var block = SampleBuffer<Float>(count: 1_024)
        var loop = EventLoop()
        _ = (loop.watch(samples.fileDescriptor), loop.watch(link.stop.descriptor))
        while !link.isEnded.load(ordering: .acquiring) {
            // In this order: samples written before the end are read after it is seen.
            let isOver = samples.isOver
            var span = block.mutableSpan
            if let read = samples.readAvailable(into: &span) {
                analyse(block.span.extracting(first: read.count), followsGap: read.followsGap)
            } else if isOver {
                return
            } else {
                loop.wait()
            }
        }
    }

    private mutating func analyse(_ block: borrowing Span<Float>, followsGap: Bool) {
        if followsGap {
            engine.reset()
            origin = heard
        }
        engine.process(block)
        if clipping.process(block) { link.clip.store(heard, ordering: .relaxed) }
        heard += Int64(block.count)
        var hasNews = false
        while var reading = engine.nextReading() {
            // The engine counts from its reset; the stream's frames go on.
            reading.frame += origin
            let isTaken = readings.push(reading)
            if isTaken, reading.frame >= link.restEnd.load(ordering: .relaxed) { hasNews = true }
        }
        if hasNews { link.arrived.ring() }
    }
}
