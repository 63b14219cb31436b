import ALSABackend
public import AudioIO
import DeviceCalibration
import Music
import Realtime
public import Synthesis

extension ToneGenerator: FrameRenderer {}

/// A tone that sounds on a playback device until it is let go.
struct ToneStream: ~Copyable {
    private var stream: PlaybackStream<ToneGenerator>
    private var commands: SPSCRing<ToneCommand>.Producer
    /// What the device granted.
    let format: StreamFormat

    /// By how much the device's frames pass faster than its label says.
    private let clock: PartsPerMillion

    /// Opens the device and begins to sound.
    ///
    /// - Parameter clock: how much faster the device runs than it says; `nil`: as it was once measured.
    init(
        _ frequency: Hertz, color: ToneColor, level: Decibels, device: String, rate: Int?, clock: Double?
    ) throws(AudioError) {
        var request = StreamRequest.playback(device: device)
        request.sampleRate = rate
        request.whenLost = .reopen
        let output = try PlaybackDevice(request)
        let granted = output.format
        let error = clockError(given: clock, of: granted, .playback, program: "tuner", isVerbose: false).error
        let ring = SPSCRing<ToneCommand>(minimumCapacity: 64, filler: .release)
        let started = try PlaybackStream(
            output,
            playing: ToneGenerator(
                frequency: frequency * (1 / error.ratio), color: color, level: level, sampleRate: granted.rate,
                commands: ring.consumer))
        // All of it at once: what does not copy cannot be half made.
        (format, self.clock) = (granted, error)
        commands = ring.producer
        stream = started
    }

    /// Goes on at another pitch.
    mutating func tune(to frequency: Hertz) { _ = commands.push(.pitch(frequency * (1 / clock.ratio))) }

    /// Why it will not sound any more.
    var failure: AudioError? { stream.failure }

    /// Why it does not sound now, while its device is lost.
    var loss: AudioError? { stream.loss }

    /// What the stream has been through.
    mutating func report() -> StreamReport { stream.report() }

    /// To be polled.
    var stateChangeDescriptor: Int32 { stream.stateChangeDescriptor }

    /// Silences `stateChangeDescriptor`.
    func acknowledgeStateChange() { stream.acknowledgeStateChange() }

    /// Fades out and stops, which takes as long as what the device has buffered and the fade: 80 ms.
    mutating func fadeOut() {
        _ = commands.push(.release)
        MonotonicTime.sleep(for: .milliseconds(80))
        stream.stop()
    }

    /// Stops at once.
    mutating func stop() { stream.stop() }
}
