public import AudioIO
internal import Platform
internal import Realtime

/// A device that is listened to, until it is stopped or goes out of scope.
///
///     var stream = try CaptureStream(.capture())
///     var samples = stream.takeSamples()!     // to the thread that analyses
public struct CaptureStream: ~Copyable {
    /// What the device granted.
    public let format: StreamFormat
    private let control: StreamControl
    private var reports: TripleBuffer<StreamReport>.Reader
    private var samples: CapturedSamples?
    private var thread: WorkerThread?

    /// Opens the requested device and starts to listen.
    ///
    /// Throws `AudioError`: `noDevice`, `unknownDevice`, `noServer`, `busy`, `notPermitted`, `unsupported`,
    /// `noSuchChannel` and the like.
    public init(_ request: StreamRequest) throws(AudioError) {
        let pcm = try PCM(request, .capture)
        let format = pcm.format
        try request.channel.check(channelCount: format.channelCount)
        let control = try StreamControl()
        let arrival = try CaptureArrival()
        let statistics = TripleBuffer(StreamReport(sampleRate: format.sampleRate))
        // A second: the analysis may stumble that long before samples are dropped.
        let ring = SPSCRing<Float>(minimumCapacity: max(format.sampleRate, 4 * format.bufferFrames), filler: 0)
        let gaps = SPSCRing<Int64>(minimumCapacity: 64, filler: 0)
        let started = try start(
            "audio-in",
            CaptureLoop(
                pcm: pcm, request: request,
                supervisor: StreamSupervisor(control: control, format: format, reports: statistics.writer),
                output: CaptureOutput(
                    samples: ring.producer, gaps: gaps.producer, arrival: arrival,
                    isDelivered: request.deliversSamples)))
        (self.format, self.control) = (format, control)
        reports = statistics.reader
        samples = CapturedSamples(
            samples: ring.consumer, gaps: gaps.consumer, arrival: arrival, control: control, format: format)
        thread = consume started
    }

    deinit { control.order(.stop) }

    /// The end that reads what is heard. There is one; a second call returns `nil`.
    public mutating func takeSamples() -> CapturedSamples? { samples.take() }

    /// The newest report of the stream's thread. Never waits for it.
    package mutating func report() -> StreamReport {
        _ = reports.fetch()
        return reports.value
    }

    /// The moment at which `frame` was captured; `nil` before the device has started.
    public mutating func captureTime(ofFrame frame: Int64) -> MonotonicTime? { report().clock.time(ofFrame: frame) }

    /// Why the stream ended by itself; `nil` while it runs and after it was stopped.
    public var failure: AudioError? { control.isOver ? loss : nil }

    /// Why the device was lost, the last time it was; `nil` when it never was.
    public var loss: AudioError? { control.loss.map { .lost(device: format.device, reason: $0.words) } }

    /// Readable when `report().state` has changed: for a `poll`. `acknowledgeStateChange` silences it.
    public var stateChangeDescriptor: Int32 { control.stateChange.descriptor }

    /// Makes `stateChangeDescriptor` silent until the next change.
    public func acknowledgeStateChange() { control.stateChange.clear() }

    /// Stops listening and waits until the device is closed; the reader then comes to the end of the samples.
    public mutating func stop() {
        control.order(.stop)
        thread = nil
    }
}
