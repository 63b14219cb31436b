/// What a stream of raw PCM holds, in the words of `arecord`: `-f`, `-r` and `-c`.
package struct RawPCMFormat: Sendable, Hashable {
    /// How one sample is laid out.
    package var sampleFormat: SampleFormat
    /// Frames per second.
    package var sampleRate: Int
    /// Samples in a frame.
    package var channelCount: Int

    /// The format of a stream recorded with the same options of `arecord`.
    ///
    /// - Parameters:
    ///   - format: a sample format, or `cd` (S16_LE, 44,100 Hz, stereo), `cdr` (the same, big-endian) or `dat`
    ///     (S16_LE, 48,000 Hz, stereo). `nil`: S16_LE.
    ///   - rate: frames per second; below 300 it counts thousands. `nil`: what the name implies, or 48,000.
    ///   - channels: samples in a frame. `nil`: what the name implies, or 1.
    ///
    /// Throws `AudioError.unknownSampleFormat` or `badPCMParameter`.
    package init(format: String?, rate: Int?, channels: Int?) throws(AudioError) {
        switch format?.lowercased() {
        case "cd": (sampleFormat, sampleRate, channelCount) = (.s16LE, 44_100, 2)
        case "cdr": (sampleFormat, sampleRate, channelCount) = (.s16BE, 44_100, 2)
        case "dat": (sampleFormat, sampleRate, channelCount) = (.s16LE, 48_000, 2)
        case nil: (sampleFormat, sampleRate, channelCount) = (.s16LE, 48_000, 1)
        case .some:
            let layout = try SampleFormat(spelling: format ?? "")
            (sampleFormat, sampleRate, channelCount) = (layout, 48_000, 1)
        }
        if let rate {
            // arecord's rule, and its limits.
            let hertz = rate < 300 ? rate.multipliedReportingOverflow(by: 1_000).partialValue : rate
            guard (2_000...768_000).contains(hertz) else {
                throw .badPCMParameter("a rate of \(rate) is not possible: use 2000 to 768000 Hz, or 2 to 299 kHz")
            }
            sampleRate = hertz
        }
        if let channels {
            guard (1...256).contains(channels) else {
                throw .badPCMParameter("\(channels) channels are not possible: use 1 to 256")
            }
            channelCount = channels
        }
    }

    /// Bytes in one frame.
    package var bytesPerFrame: Int { sampleFormat.bytesPerSample * channelCount }
}
