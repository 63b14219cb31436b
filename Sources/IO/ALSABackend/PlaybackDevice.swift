public import AudioIO

/// An opened device that does not play yet. Its format is known, so that a renderer can be made for its rate.
///
/// ```swift
/// extension MetronomeEngine: @retroactive FrameRenderer {}
///
/// let device = try PlaybackDevice(.playback())
/// let metronome = try Metronome(PracticePlan(tempo: Tempo(120)), sampleRate: device.format.sampleRate)
/// var stream = try PlaybackStream(device, playing: metronome.engine)
/// ```
public struct PlaybackDevice: ~Copyable, Sendable {
    /// What the device granted.
    public let format: StreamFormat
    internal let request: StreamRequest
    internal let pcm: PCM

    /// Opens the requested device. Throws `AudioError`, such as `noDevice`, `unknownDevice`, `noServer`, `busy`,
    /// `notPermitted`, `unsupported` or `noSuchChannel`.
    public init(_ request: StreamRequest) throws(AudioError) {
        let opened = try PCM(request, .playback)
        try request.channel.check(channelCount: opened.format.channelCount)
        (format, self.request) = (opened.format, request)
        pcm = opened
    }
}
