internal import AudioIO
internal import Configuration
internal import TerminalUI

/// Where rendered clicks go: a sound file, or standard output as a WAV stream.
struct ClickSink: ~Copyable {
    private var file: AudioFileWriter?
    private var pipe = StandardOutput()

    /// Creates `path`; `-` is standard output.
    ///
    /// - Parameters:
    ///   - frameCount: how many frames will be written. The header comes first and a pipe does not seek, which is also why
    ///     libsndfile writes no WAV there.
    ///   - bits: of a sample; `nil`: the best of the format.
    init(path: String, sampleRate: Int, channelCount: Int, frameCount: Int64, bits: Int?) throws {
        guard path != "-" else {
            guard bits ?? 32 == 32 else { throw Self.unfit(bits, path) }
            // WAVE_FORMAT_IEEE_FLOAT, 32 bits; "Multimedia Programming Interface and Data Specifications 1.0", 1991.
            let frameBytes = 4 * channelCount
            let dataBytes = UInt32(clamping: frameCount * Int64(frameBytes))
            let header =
                Array("RIFF".utf8) + little(UInt32(clamping: Int64(dataBytes) + 36), 4) + Array("WAVEfmt ".utf8)
                + little(16, 4) + little(3, 2) + little(UInt32(channelCount), 2) + little(UInt32(sampleRate), 4)
                + little(UInt32(sampleRate * frameBytes), 4) + little(UInt32(frameBytes), 2) + little(32, 2)
                + Array("data".utf8) + little(dataBytes, 4)
            try pipe.write(header.span.bytes)
            return
        }
        guard let format = AudioFileFormat(path: path) else {
            throw CommandError(
                .usage, "--render '\(path)' has no known format",
                remedy: "end the name in .wav, .flac, .ogg, .mp3 or .mid, or use - for a WAV stream")
        }
        let chosen: AudioFileFormat? =
            switch (format, bits) {
            case (_, nil): format
            case (.wavFloat32, 16): .wav16
            case (.wavFloat32, 24): .wav24
            case (.wavFloat32, 32): .wavFloat32
            case (.flac24, 16): .flac16
            case (.flac24, 24): .flac24
            default: nil
            }
        guard let chosen else { throw Self.unfit(bits, path) }
        file = try AudioFileWriter(path: path, sampleRate: sampleRate.hertz, channelCount: channelCount, format: chosen)
    }

    private static func unfit(_ bits: Int?, _ path: String) -> CommandError {
        CommandError(
            .usage, "--bits \(bits ?? 0): '\(path)' has no such format",
            remedy: "use 16, 24 or 32 for .wav, 16 or 24 for .flac, 32 for -")
    }

    mutating func write(_ interleaved: borrowing Span<Float>) throws {
        if file != nil {
            try file?.write(interleaved)
        } else {
            try pipe.write(interleaved.bytes)
        }
    }

    consuming func finish() throws { try file.take()?.finish() }
}

private func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
