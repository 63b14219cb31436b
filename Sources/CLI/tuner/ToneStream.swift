import ALSABackend
import AudioIO
import DeviceCalibration
import Realtime
public import Synthesis

extension ToneGenerator: FrameRenderer {}

/// Tones on a playback device.
struct ToneStream: ~Copyable {
    var stream: PlaybackStream<ToneGenerator>
    private var commands: SPSCRing<ToneCommand>.Producer
    /// How fast the clock of the device is.
    private let clock: PartsPerMillion

    /// Opens the device and starts the tones.
    ///
    /// - Parameters:
    ///   - frequencies: one to four.
    ///   - clock: the error of the device's clock; `nil` if it is the measured one.
    init(
        _ frequencies: [Hertz], color: ToneColor, level: Decibels, on request: StreamRequest, clock: PartsPerMillion?
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
                frequencies: frequencies.map { $0 / error.ratio }, color: color, level: level,
                sampleRate: granted.sampleRate, commands: ring.consumer))
        // A noncopyable value must be initialized completely.
        commands = ring.producer
        self.clock = error
        stream = started
    }

    /// Changes the tones that sound; as many as there were at first.
    mutating func change(to frequencies: [Hertz]) {
        for (voice, frequency) in frequencies.enumerated() {
            _ = commands.push(.pitch(frequency / clock.ratio, voice: voice))
        }
    }

    mutating func change(to level: Decibels) { _ = commands.push(.level(level)) }

    /// Fades out and stops, which takes as long as what the device has buffered, the fade of 10 ms and a sound server.
    mutating func fadeOut() {
        _ = commands.push(.release)
        let buffered = stream.format.bufferFrames << stream.report().statistics.enlargements
        MonotonicTime.sleep(for: .seconds(Double(buffered) / stream.format.sampleRate.value) + .milliseconds(60))
        stream.stop()
    }
}
