public import AudioIO
internal import Realtime

/// A device that listens until it is stopped or goes out of scope.
///
/// ```swift
/// var stream = try CaptureStream(.capture())
/// guard var samples = stream.takeSamples() else { return }  // moves to the thread that analyses
/// var block = [Float](repeating: 0, count: 512)
/// var free = block.mutableSpan
/// let count = try samples.read(into: &free).count  // waits for sound
/// ```
public struct CaptureStream: ~Copyable {
    /// What the device granted.
    public let format: StreamFormat
    private let control: StreamControl
    private var reports: TripleBuffer<StreamReport>.Reader
    private var samples: CapturedSamples?
    private var thread: WorkerThread?

    /// Opens the requested device and starts to listen. Throws `AudioError`, as `PlaybackDevice` does.
    public init(_ request: StreamRequest) throws(AudioError) {
        let pcm = try PCM(request, .capture)
        let format = pcm.format
        try request.channel.check(channelCount: format.channelCount)
        let statistics = TripleBuffer(StreamReport(framesPerSecond: format.framesPerSecond))
        // One second: the analysis may stall that long before samples are dropped.
        let ring = SPSCRing<Float>(minimumCapacity: max(format.framesPerSecond, 4 * format.bufferFrames), filler: 0)
        let gaps = SPSCRing<Int64>(minimumCapacity: 64, filler: 0)
        let control: StreamControl
        let started: WorkerThread
        do throws(ResourceError) {
            control = try StreamControl()
            started = try WorkerThread.start(
                "audio-in", priority: .realTime,
                StreamThread(
                    pcm, StreamSupervisor(control: control, format: format, reports: statistics.writer),
                    CaptureLoop(
                        request, format,
                        output: CaptureOutput(
                            samples: ring.producer, gaps: gaps.producer, control: control,
                            isDelivered: request.deliversSamples))))
        } catch { throw AudioError(error) }
        (self.format, self.control) = (format, control)
        reports = statistics.reader
        samples = CapturedSamples(samples: ring.consumer, gaps: gaps.consumer, control: control, format: format)
        thread = consume started
    }

    deinit { control.stop() }

    /// The reading end of the stream. There is one: a second call returns `nil`.
    public mutating func takeSamples() -> CapturedSamples? { samples.take() }

    /// The newest report of the stream's thread. Never waits for it.
    package mutating func report() -> StreamReport {
        _ = reports.fetch()
        return reports.value
    }

    /// The moment `frame` was at the device's input; `nil` before the device has started.
    @_spi(Measurement) public mutating func captureTime(ofFrame frame: Int64) -> MonotonicTime? {
        report().clock.time(ofFrame: frame)
    }

    /// Why the stream ended; `nil` while it runs, and if it was stopped.
    public var failure: AudioError? { control.isOver ? loss : nil }

    /// Why the device was lost last; `nil` if it never was.
    public var loss: AudioError? { control.loss.map { .lost(device: format.device, reason: $0.words) } }

    /// A descriptor to poll, readable when `report().state` has changed. `acknowledgeStateChange` clears it.
    package var stateChangeDescriptor: Int32 { control.stateChange.descriptor }

    /// Clears `stateChangeDescriptor` until the next change.
    package func acknowledgeStateChange() { control.stateChange.clear() }

    /// Stops and waits until the device is closed. The reader then comes to the end of the samples.
    public mutating func stop() {
        control.stop()
        thread = nil
    }
}
