internal import CSoundFile
internal import Glibc
public import Music
internal import Realtime

/// The kinds of sound file that can be written.
package enum AudioFileFormat: Sendable, Hashable, CaseIterable {
    /// WAV with 32-bit floating point, which stores every sample exactly.
    case wavFloat32
    /// WAV with integers.
    case wav16, wav24
    /// FLAC: lossless, at about half the size.
    case flac16, flac24
    /// Lossy compression.
    case oggVorbis, mp3

    /// The format for the extension of `path`: float for `.wav`, 24 bits for `.flac`, `.ogg`, `.mp3`; `nil` for another.
    package init?(path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "wav", "wave": self = .wavFloat32
        case "flac": self = .flac24
        case "ogg", "oga": self = .oggVorbis
        case "mp3": self = .mp3
        default: return nil
        }
    }

    /// Bits of a sample, for the formats with integers.
    fileprivate var integerBits: Int? {
        switch self {
        case .wav16, .flac16: 16
        case .wav24, .flac24: 24
        case .wavFloat32, .oggVorbis, .mp3: nil
        }
    }

    fileprivate var code: Int {
        switch self {
        case .wavFloat32: SF_FORMAT_WAV | SF_FORMAT_FLOAT
        case .wav16: SF_FORMAT_WAV | SF_FORMAT_PCM_16
        case .wav24: SF_FORMAT_WAV | SF_FORMAT_PCM_24
        case .flac16: SF_FORMAT_FLAC | SF_FORMAT_PCM_16
        case .flac24: SF_FORMAT_FLAC | SF_FORMAT_PCM_24
        case .oggVorbis: SF_FORMAT_OGG | SF_FORMAT_VORBIS
        case .mp3: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III
        }
    }
}

/// A sound file being written, block by block.
///
/// The same samples always give the same bytes (WAV and FLAC): the file contains no time stamp.
public struct AudioFileWriter: ~Copyable {
    /// Samples in a frame.
    public let channelCount: Int
    private let file: SoundFile
    private let integerBits: Int?
    private var integers: SampleBuffer<Int32>
    private var shorts: SampleBuffer<Int16>

    /// Creates `path`, or replaces it. The ending of the name chooses the format: `.wav` (32-bit float), `.flac` (24 bits),
    /// `.ogg` or `.mp3`. Any other ending means WAV.
    ///
    /// - Parameters:
    ///   - sampleRate: a whole number of hertz; for FLAC at most 655,350.
    ///   - channelCount: 1 or more; FLAC takes 8.
    ///
    /// Throws `AudioError.cannotWrite`.
    public init(path: String, sampleRate: Hertz, channelCount: Int = 1) throws(AudioError) {
        try self.init(
            path: path, sampleRate: sampleRate, channelCount: channelCount,
            format: AudioFileFormat(path: path) ?? .wavFloat32)
    }

    /// The same in a format of choice.
    package init(path: String, sampleRate: Hertz, channelCount: Int = 1, format: AudioFileFormat) throws(AudioError) {
        let framesPerSecond = sampleRate.framesPerSecond ?? 0
        var info = SF_INFO()
        info.samplerate = Int32(clamping: framesPerSecond)
        info.channels = Int32(clamping: channelCount)
        info.format = Int32(truncatingIfNeeded: format.code)
        // Checked before the file is created: a refused format must not leave an empty file behind.
        guard framesPerSecond > 0, channelCount > 0, sf_format_check(&info) != 0 else {
            throw .cannotWrite(
                path: path,
                reason: "this kind of file takes no \(channelCount) channels at \(sampleRate.inWholeHertz) Hz")
        }
        let made = try SoundFile(writing: path, info: info)
        file = made
        self.channelCount = channelCount
        // The PEAK chunk of a float WAV contains the time of writing.
        sf_command(file.handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, Int32(SF_FALSE))
        // Without it the lossy encoders wrap around beyond full scale. Integers are limited here.
        sf_command(file.handle, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        integerBits = format.integerBits
        let blockSamples = AudioFileWriter.blockSamples(channelCount)
        integers = SampleBuffer(count: format.integerBits == 24 ? blockSamples : 0)
        shorts = SampleBuffer(count: format.integerBits == 16 ? blockSamples : 0)
    }

    /// Samples converted at once: whole frames, at most 16,384 samples unless a frame has more.
    private static func blockSamples(_ channelCount: Int) -> Int { max(1, 16_384 / channelCount) * channelCount }

    /// Appends whole interleaved frames, full scale ±1.
    ///
    /// - Precondition: the count is a multiple of `channelCount`.
    ///
    /// Throws `AudioError.cannotWrite`, for instance when the disk is full.
    public mutating func write(_ interleaved: borrowing Span<Float>) throws(AudioError) {
        precondition(interleaved.count.isMultiple(of: channelCount), "frames are written whole")
        let complete = interleaved.withUnsafeBufferPointer { samples in
            switch integerBits {
            case nil: writeFloats(samples)
            case 16: write(samples, through: shorts, by: sf_write_short, writeInt16)
            default:
                write(samples, through: integers, by: sf_write_int) { block, converted in
                    for (i, sample) in block.enumerated() { converted[i] = limited(sample, 8_388_608) << 8 }
                }
            }
        }
        guard complete else {
            let reason = errno == ENOSPC ? systemReason(ENOSPC) : soundFileReason(file.handle)
            throw .cannotWrite(path: file.path, reason: reason)
        }
    }

    private func writeFloats(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        guard let start = samples.baseAddress, !samples.isEmpty else { return true }
        return sf_write_float(file.handle, start, sf_count_t(samples.count)) == sf_count_t(samples.count)
    }

    /// Writes converted blocks. libsndfile's own conversion scales by 32,767 when it writes and by 32,768 when it reads.
    private func write<Stored>(
        _ samples: UnsafeBufferPointer<Float>, through buffer: borrowing SampleBuffer<Stored>,
        by send: (OpaquePointer?, UnsafePointer<Stored>?, sf_count_t) -> sf_count_t,
        _ convert: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Stored>) -> Void
    ) -> Bool {
        var rest = samples[...]
        while !rest.isEmpty {
            let block = UnsafeBufferPointer(rebasing: rest.prefix(buffer.count))
            convert(block, buffer.unsafeElements)
            let start = UnsafePointer(buffer.unsafeElements.baseAddress)
            guard send(file.handle, start, sf_count_t(block.count)) == sf_count_t(block.count) else { return false }
            rest = rest.dropFirst(block.count)
        }
        return true
    }

    /// Completes the file. The deinitializer does that too, but a failure there goes unnoticed.
    public consuming func finish() throws(AudioError) { try file.finish() }
}
