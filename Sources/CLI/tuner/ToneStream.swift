import ALSABackend
import AudioIO
import DeviceCalibration
import Realtime
public import Synthesis

extension ToneGenerator: FrameRenderer {}

/// A tone on a playback device.
struct ToneStream: ~Copyable {
    var stream: PlaybackStream<ToneGenerator>
    private var commands: SPSCRing<ToneCommand>.Producer

    /// Opens the device and starts the tone.
    ///
    /// - Parameter clock: the error of the device's clock; `nil` if it is the measured one.
    init(
        _ frequency: Hertz, color: ToneColor, level: Decibels, on request: StreamRequest, clock: PartsPerMillion?
    ) throws(AudioError) {
        var request = request
        request.whenLost = .reopen
        let output = try PlaybackDevice(request)
        let granted = output.format
        let error = clockError(given: clock, of: granted, .playback, program: "tuner", isVerbose: false).error
        let ring = SPSCRing<ToneCommand>(minimumCapacity: 64, filler: .release)
        let started = try PlaybackStream(
            output,
            playing: ToneGenerator(
                frequency: frequency / error.ratio, color: color, level: level, sampleRate: granted.sampleRate,
                commands: ring.consumer))
        // A noncopyable value must be initialized completely.
        commands = ring.producer
        stream = started
    }

    /// Fades out and stops, which takes as long as what the device has buffered, the fade of 10 ms and a sound server.
    mutating func fadeOut() {
        _ = commands.push(.release)
        let buffered = stream.format.bufferFrames << stream.report().statistics.enlargements
        MonotonicTime.sleep(for: .seconds(Double(buffered) / stream.format.sampleRate.value) + .milliseconds(60))
        stream.stop()
    }
}
