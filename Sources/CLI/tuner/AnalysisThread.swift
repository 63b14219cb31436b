import ALSABackend
import AudioIO
import Pitch
import Realtime
import Strum
import Synchronization
import TunerEngine

/// The thread that waits for samples, runs the engine and passes on the readings.
struct AnalysisThread: ~Copyable {
    private var readings: SPSCRing<PitchReading>.Consumer
    private var strums: SPSCRing<StrumHearing.Heard?>.Consumer
    private let link: AnalysisLink
    private let thread: WorkerThread

    /// Starts the thread. It ends when the samples end or this value goes out of scope. Throws `ResourceError`.
    init(engine: consuming TunerEngine, samples: consuming CapturedSamples) throws {
        // 1,024 readings: more than a second of the shortest hop, should the terminal stall.
        let nothing = PitchReading(frame: 0, state: .silence, level: 0.0.decibels)
        let ring = SPSCRing<PitchReading>(minimumCapacity: 1_024, filler: nothing)
        // 64 pictures: those of nine strums.
        let strumRing = SPSCRing<StrumHearing.Heard?>(minimumCapacity: 64, filler: nil)
        let link = AnalysisLink(arrived: try WakeUp(), stop: try WakeUp())
        let started = try WorkerThread.start(
            "analysis",
            AnalysisWork(
                engine: engine, samples: samples, readings: ring.producer, strums: strumRing.producer, link: link))
        readings = ring.consumer
        strums = strumRing.consumer
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

    /// Hears strums by this engine from now on; by none if it is `nil`.
    ///
    /// - Parameter generation: comes back with each picture of this engine.
    func hearStrums(by engine: consuming StrumEngine?, generation: Int) {
        var hearing: StrumHearing? = StrumHearing(engine: engine, generation: generation)
        link.nextHearing.withLock { $0 = hearing.take() }
        link.hasNextHearing.store(true, ordering: .releasing)
    }

    /// The oldest picture of a strum that was not taken yet.
    mutating func nextStrum() -> StrumHearing.Heard? { strums.pop() ?? nil }

    /// The oldest reading that was not taken yet. Take the strums first: the wake-up is for both.
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
    /// What hears strums from the next block on. The analysis thread may wait for a lock; the audio thread is another one.
    let nextHearing = Mutex<StrumHearing?>(nil)
    let hasNextHearing = Atomic<Bool>(false)

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
    var strums: SPSCRing<StrumHearing.Heard?>.Producer
    let link: AnalysisLink
    /// Samples heard so far.
    var heard: Int64 = 0
    /// Those before the engine was reset last.
    var origin: Int64 = 0
    var clipping = ClippingDetector()
    var hearing = StrumHearing(engine: nil, generation: 0)

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
            hearing.begin(at: heard)
        }
        if link.hasNextHearing.exchange(false, ordering: .acquiring) {
            if let next = link.nextHearing.withLock({ $0.take() }) { hearing = next }
            hearing.begin(at: heard)
        }
        engine.process(block)
        hearing.process(block)
        if clipping.process(block) { link.clip.store(heard, ordering: .relaxed) }
        heard += Int64(block.count)
        var hasNews = false
        while var reading = engine.nextReading() {
            // The engine counts from its reset; the stream's frames go on.
            reading.frame += origin
            let isTaken = readings.push(reading)
            if isTaken, reading.frame >= link.restEnd.load(ordering: .relaxed) { hasNews = true }
        }
        while let strum = hearing.next() { if strums.push(strum) { hasNews = true } }
        if hasNews { link.arrived.ring() }
    }
}
