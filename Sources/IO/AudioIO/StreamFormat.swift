public import Music

/// What a device granted: the rate and sizes that everything behind it is made for.
public struct StreamFormat: Sendable, Hashable, CustomStringConvertible {
    /// The device's name, as requested.
    public var device: String
    /// Frames per second: a whole number, for exact frame arithmetic.
    package var sampleRate: Int
    /// Channels of the device.
    public var channelCount: Int
    /// How a sample is laid out in the device's memory.
    package var sampleFormat: SampleFormat
    /// Frames per transfer.
    public var periodFrames: Int
    /// Frames the device holds.
    public var bufferFrames: Int

    /// A granted format.
    package init(
        device: String, sampleRate: Int, channelCount: Int, sampleFormat: SampleFormat, periodFrames: Int,
        bufferFrames: Int
    ) {
        (self.device, self.sampleRate, self.channelCount) = (device, sampleRate, channelCount)
        (self.sampleFormat, self.periodFrames, self.bufferFrames) = (sampleFormat, periodFrames, bufferFrames)
    }

    /// Bytes of one frame in the device's memory.
    package var bytesPerFrame: Int { channelCount * sampleFormat.bytesPerSample }

    /// The sample rate.
    public var rate: Hertz { sampleRate.hertz }

    /// One line for people: `default: 48000 Hz, 2 channels, FLOAT_LE, period 256 (5.3 ms), buffer 1024 (21.3 ms)`.
    public var description: String {
        """
        \(device): \(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s"), \
        \(sampleFormat.spelling), period \(periodFrames) (\(milliseconds(periodFrames)) ms), \
        buffer \(bufferFrames) (\(milliseconds(bufferFrames)) ms)
        """
    }

    private func milliseconds(_ frames: Int) -> String {
        let tenths = (frames * 10_000 + sampleRate / 2) / max(1, sampleRate)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
