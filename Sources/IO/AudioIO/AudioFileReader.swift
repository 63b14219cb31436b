internal import CSoundFile
public import Music
internal import Realtime

/// A sound file, read block by block: WAV, FLAC, OGG, MP3, AIFF and others that libsndfile reads.
///
/// ```swift
/// var file = try AudioFileReader(path: "a-string.flac")
/// var block = [Float](repeating: 0, count: 4_096)
/// var free = block.mutableSpan
/// let count = try file.read(into: &free).count  // mono
/// ```
///
/// No file makes it crash or read without end. A file that contains no sound is refused when it is opened. A file that
/// breaks off is delivered up to there, and then `AudioError.truncatedFile` is thrown once.
public struct AudioFileReader: ~Copyable, SampleSource {
    /// Frames per second, a whole number.
    public var sampleRate: Hertz { framesPerSecond.hertz }
    /// The same, for exact arithmetic.
    package let framesPerSecond: Int
    /// Samples in a frame of the file.
    public let channelCount: Int
    private let file: SoundFile
    private let channel: ChannelChoice
    private var interleaved: SampleBuffer<Float>
    /// Frames delivered so far.
    public private(set) var readFrames: Int64 = 0
    private var isOver = false

    private static let blockFrames = 4_096

    /// Opens the file at `path`, to be read as the mean of its channels. Throws `fileNotFound`, `isDirectory`,
    /// `fileNotPermitted`, `emptyFile`, `notAudio` or `noSamples`.
    public init(path: String) throws(AudioError) { try self.init(path: path, channel: .mean) }

    /// Opens the file at `path`.
    ///
    /// - Parameter channel: the channel that `read(into:)` delivers.
    ///
    /// Throws `fileNotFound`, `isDirectory`, `fileNotPermitted`, `emptyFile`, `notAudio`, `noSamples` or
    /// `noSuchChannel`.
    package init(path: String, channel: ChannelChoice) throws(AudioError) {
        let opened = try SoundFile(reading: path)
        if opened.info.frames == 0 { throw .noSamples(path: path) }
        try channel.check(channelCount: Int(opened.info.channels))
        framesPerSecond = Int(opened.info.samplerate)
        channelCount = Int(opened.info.channels)
        file = opened
        self.channel = channel
        interleaved = SampleBuffer(count: AudioFileReader.blockFrames * channelCount)
    }

    /// Frames in the whole file by its header; `nil` if the header does not tell. For a progress bar but not for allocation:
    /// a damaged header can contain anything.
    public var frameCount: Int64? { file.frameCount }

    /// Reads mono samples. Throws `AudioError.truncatedFile` after all frames before the break.
    public mutating func read(into samples: inout MutableSpan<Float>) throws(AudioError) -> SampleRead {
        let wanted = min(samples.count, AudioFileReader.blockFrames)
        guard !isOver, wanted > 0, let source = interleaved.unsafeElements.baseAddress else {
            return SampleRead(count: 0)
        }
        let frames = min(file.read(wanted, into: source), wanted)
        guard frames > 0 else {
            isOver = true
            try checkEnd()
            return SampleRead(count: 0)
        }
        readFrames += Int64(frames)
        let (channel, channelCount) = (channel, channelCount)
        // A float file may contain infinities and NaN: silence, as in SampleFormat.decode.
        for i in 0..<(frames * channelCount) where !source[i].isFinite { source[i] = 0 }
        samples.withUnsafeMutableBufferPointer {
            channel.mixDown(
                UnsafePointer(source), channelCount: channelCount,
                into: UnsafeMutableBufferPointer(rebasing: $0[..<frames]))
        }
        return SampleRead(count: frames)
    }

    /// Throws if the file ended before the sound.
    private func checkEnd() throws(AudioError) {
        let isCounted = file.frameCountIsExact || file.isMuchLonger(than: readFrames)
        let promised = file.promisedFrames ?? (isCounted ? file.frameCount : nil)
        let breaksOff = promised.map { readFrames < $0 } ?? file.lacksEndOfStream
        if breaksOff || file.hasError {
            throw .truncatedFile(path: file.path, readFrames: readFrames, expectedFrames: promised)
        }
    }
}
