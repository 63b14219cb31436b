import AudioIO
import ALSABackend
import Glibc
import Music
import Pitch
import Realtime
import TunerEngine

/// The thread between the sound card and the screen: it waits for samples, runs the engine and passes readings on.
struct AnalysisThread: ~Copyable {
    /// Becomes readable when readings have come.
    let descriptor: Int32
    private var readings: SPSCRing<PitchReading>.Consumer

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
        let work = AnalysisWork(engine: engine, samples: samples, readings: ring.producer, wakeUp: ends[1])
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

    /// The oldest reading that was not taken yet.
    mutating func nextReading() -> PitchReading? {
        if let reading = readings.pop() { return reading }
        // Empty: take the wake-up bytes, then look again, so that a reading between the two is not slept over.
        var bytes = (0 as UInt64, 0 as UInt64, 0 as UInt64, 0 as UInt64)
        while read(descriptor, &bytes, 32) == 32 {}
        return readings.pop()
    }
}

/// What the thread owns.
private final class AnalysisWork {
    private var engine: TunerEngine
    private var samples: CapturedSamples
    private var readings: SPSCRing<PitchReading>.Producer
    private let wakeUp: Int32
    /// Samples heard so far, and before the engine began anew.
    private var (heard, origin) = (Int64(0), Int64(0))

    init(
        engine: consuming TunerEngine, samples: consuming CapturedSamples,
        readings: consuming SPSCRing<PitchReading>.Producer, wakeUp: Int32
    ) {
        self.engine = engine
        self.samples = samples
        self.readings = readings
        self.wakeUp = wakeUp
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
                made = readings.push(reading) || made
            }
            if made {
                var byte: UInt8 = 1
                _ = write(wakeUp, &byte, 1)
            }
        }
    }
}
