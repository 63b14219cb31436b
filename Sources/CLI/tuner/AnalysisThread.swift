import AudioIO
import ALSABackend
import Glibc
import Music
import Pitch
import Realtime
import Synchronization
import TunerEngine

/// The thread between the sound card and the screen: it waits for samples, runs the engine and passes readings on.
struct AnalysisThread: ~Copyable {
    /// Becomes readable when readings have come.
    let descriptor: Int32
    private var readings: SPSCRing<PitchReading>.Consumer
    private let pause: WakeUpPause

    /// Starts the thread; it ends with the samples.
    init(engine: consuming TunerEngine, samples: consuming CapturedSamples) {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        descriptor = ends[0]
        // 1,024 readings: more than a second of the shortest hop, should the terminal stall.
        let nothing = PitchReading(frame: 0, state: .silence, level: 0.0.decibels)
        let ring = SPSCRing<PitchReading>(minimumCapacity: 1_024, filler: nothing)
        readings = ring.consumer
        pause = WakeUpPause()
        let work = AnalysisWork(
            engine: engine, samples: samples, readings: ring.producer, wakeUp: ends[1], pause: pause)
        let raw = Unmanaged.passRetained(work).toOpaque()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { raw in
                if let raw { Unmanaged<AnalysisWork>.fromOpaque(raw).takeRetainedValue().run() }
                return nil
            }, raw)
        pthread_detach(thread)
    }

    /// Lets readings before a frame of the stream come without a wake-up: nobody looks at them before.
    func rest(untilFrame frame: Int64) { pause.end.store(frame, ordering: .relaxed) }

    /// The oldest reading that was not taken yet.
    mutating func nextReading() -> PitchReading? {
        if let reading = readings.pop() { return reading }
        // Empty: take the wake-up bytes, then look again, so that a reading between the two is not slept over.
        var bytes = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        while read(descriptor, &bytes, 32) == 32 {}
        return readings.pop()
    }
}

/// Up to which frame readings wake nobody.
private final class WakeUpPause: Sendable {
    let end = Atomic<Int64>(0)
}

/// What the thread owns.
private final class AnalysisWork {
    private var engine: TunerEngine
    private var samples: CapturedSamples
    private var readings: SPSCRing<PitchReading>.Producer
    private let wakeUp: Int32
    private let pause: WakeUpPause
    /// Samples heard so far, and before the engine began anew.
    private var (heard, origin) = (Int64(0), Int64(0))

    init(
        engine: consuming TunerEngine, samples: consuming CapturedSamples,
        readings: consuming SPSCRing<PitchReading>.Producer, wakeUp: Int32, pause: WakeUpPause
    ) {
        self.engine = engine
        self.samples = samples
        self.readings = readings
        self.wakeUp = wakeUp
        self.pause = pause
    }

    func run() {
        var block = SampleBuffer<Float>(count: 1_024)
        while true {
            let read: SampleRead
            do throws(AudioError) {
                var span = block.mutableSpan
                read = try samples.read(into: &span)
            } catch {
                return  // The stream tells the terminal's thread why.
            }
            if read.isEnd { return }
            if read.followsGap {
                engine.reset()
                origin = heard
            }
            engine.process(block.span.extracting(0..<read.count))
            heard += Int64(read.count)
            var made = false
            while var reading = engine.nextReading() {
                // The engine counts from its new beginning; time goes on.
                reading.frame += origin
                made = readings.push(reading) && reading.frame >= pause.end.load(ordering: .relaxed) || made
            }
            if made {
                var byte: UInt8 = 1
                _ = write(wakeUp, &byte, 1)
            }
        }
    }
}
