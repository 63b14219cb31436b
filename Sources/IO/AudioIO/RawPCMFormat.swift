/// The format of a stream of raw PCM, by the options `-f`, `-r` and `-c` of `arecord`.
package struct RawPCMFormat: Sendable, Hashable {
    /// The layout of a sample.
    package var sampleFormat: SampleFormat
    /// Frames per second.
    package var framesPerSecond: Int
    /// Samples in a frame.
    package var channelCount: Int

    /// The format of a stream recorded with the same options of `arecord`.
    ///
    /// - Parameters:
    ///   - format: a sample format, or `cd` (S16_LE, 44,100 Hz, stereo), `cdr` (the same, big-endian) or `dat`
    ///     (S16_LE, 48,000 Hz, stereo). `nil`: S16_LE.
    ///   - rate: as `frameRate(option:)` reads it. `nil`: as the format implies, or 48,000.
    ///   - channels: samples in a frame. `nil`: as the format implies, or 1.
    ///
    /// Throws `AudioError.unknownSampleFormat` or `impossiblePCM`.
    package init(format: String?, rate: Int?, channels: Int?) throws(AudioError) {
        switch format?.lowercased() {
        case "cd": (sampleFormat, framesPerSecond, channelCount) = (.s16LE, 44_100, 2)
        case "cdr": (sampleFormat, framesPerSecond, channelCount) = (.s16BE, 44_100, 2)
        case "dat": (sampleFormat, framesPerSecond, channelCount) = (.s16LE, 48_000, 2)
        default:
            let layout = try SampleFormat(spelling: format ?? "S16_LE")
            (sampleFormat, framesPerSecond, channelCount) = (layout, 48_000, 1)
        }
        if let rate {
            let hertz = frameRate(option: rate)
            guard (2_000...highestFrameRate).contains(hertz) else {
                throw .impossiblePCM(
                    problem: "a rate of \(rate) is not possible",
                    remedy: "use 2000 to \(highestFrameRate) Hz, or 2 to \(kilohertzLimit - 1) kHz")
            }
            framesPerSecond = hertz
        }
        if let channels {
            guard (1...256).contains(channels) else {
                throw .impossiblePCM(problem: "\(channels) channels are not possible", remedy: "use 1 to 256")
            }
            channelCount = channels
        }
    }

    /// Bytes in one frame.
    package var bytesPerFrame: Int { sampleFormat.bytesPerSample * channelCount }
}

/// The highest frame rate, in hertz, that any option, file or device may have: arecord's.
package let highestFrameRate = 768_000

/// The lowest sample rate of a file, in hertz: a telephone's is 8,000, and below 1,000 no beat or tone of music is left.
package let lowestFileRate = 1_000

/// Rates of options below this one count kilohertz, as arecord's.
package let kilohertzLimit = 300

/// Frames per second of an option `-r`.
package func frameRate(option rate: Int) -> Int { (1..<kilohertzLimit).contains(rate) ? rate * 1_000 : rate }
