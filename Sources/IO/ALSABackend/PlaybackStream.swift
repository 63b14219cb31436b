public import AudioIO
internal import Realtime

/// A device that plays what a renderer renders, until it is stopped or goes out of scope.
///
/// The renderer moves to the stream's own thread and renders one period after another, mono; each sample goes to all
/// channels. Frame 0 is the first frame it renders, and remains the origin whatever happens to the device.
public struct PlaybackStream<Renderer: FrameRenderer & ~Copyable & Sendable>: ~Copyable {
    /// What the device granted.
    public let format: StreamFormat
    private let control: StreamControl
    private var reports: TripleBuffer<StreamReport>.Reader
    private var thread: WorkerThread?

    /// Starts to play. Throws `AudioError.outOfResources`.
    public init(_ device: consuming PlaybackDevice, playing renderer: consuming Renderer) throws(AudioError) {
        let (format, request) = (device.format, device.request)
        let control: StreamControl
        let started: WorkerThread
        let ring = TripleBuffer(StreamReport(framesPerSecond: format.framesPerSecond))
        do throws(ResourceError) {
            control = try StreamControl()
            started = try WorkerThread.start(
                "audio-out", priority: .realTime,
                StreamThread(
                    device.pcm, StreamSupervisor(control: control, format: format, reports: ring.writer),
                    PlaybackLoop(request, format, renderer: renderer)))
        } catch { throw AudioError(error) }
        (self.format, self.control) = (format, control)
        reports = ring.reader
        thread = consume started
    }

    deinit { control.stop() }

    /// The newest report of the stream's thread. Never waits for it.
    package mutating func report() -> StreamReport {
        _ = reports.fetch()
        return reports.value
    }

    /// The moment `frame` is heard; `nil` before the device has started.
    public mutating func heardTime(ofFrame frame: Int64) -> MonotonicTime? { report().clock.time(ofFrame: frame) }

    /// Why the stream ended; `nil` while it runs, and if it was stopped.
    public var failure: AudioError? { control.isOver ? loss : nil }

    /// Why the device was lost last; `nil` if it never was.
    public var loss: AudioError? { control.loss.map { .lost(device: format.device, reason: $0.words) } }

    /// A descriptor to poll, readable when `report().state` has changed. `acknowledgeStateChange` clears it.
    package var stateChangeDescriptor: Int32 { control.stateChange.descriptor }

    /// Clears `stateChangeDescriptor` until the next change.
    package func acknowledgeStateChange() { control.stateChange.clear() }

    /// Stops and waits until the device is closed. A second call does nothing.
    public mutating func stop() {
        control.stop()
        thread = nil
    }
}
