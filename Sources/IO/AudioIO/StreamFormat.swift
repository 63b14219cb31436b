public import Music

/// What a device granted: the rate and sizes that everything behind it is made for.
public struct StreamFormat: Sendable, Hashable, CustomStringConvertible {
    /// The device's name, as requested.
    public let device: String
    /// Frames per second as a whole number, for exact arithmetic.
    package let framesPerSecond: Int
    /// Channels of the device.
    public let channelCount: Int
    /// The layout of a sample in the device's memory.
    package let sampleFormat: SampleFormat
    /// Frames per transfer.
    public let periodFrames: Int
    /// Frames that the device buffers.
    public let bufferFrames: Int

    /// A granted format.
    package init(
        device: String, framesPerSecond: Int, channelCount: Int, sampleFormat: SampleFormat, periodFrames: Int,
        bufferFrames: Int
    ) {
        (self.device, self.framesPerSecond, self.channelCount) = (device, framesPerSecond, channelCount)
        (self.sampleFormat, self.periodFrames, self.bufferFrames) = (sampleFormat, periodFrames, bufferFrames)
    }

    /// Frames per second; always a whole number of hertz.
    public var sampleRate: Hertz { framesPerSecond.hertz }

    /// Bytes of one frame in the device's memory.
    package var bytesPerFrame: Int { channelCount * sampleFormat.bytesPerSample }

    /// One line for people: `default: 48000 Hz, 2 channels, FLOAT_LE, period 256 (5.3 ms), buffer 1024 (21.3 ms)`.
    public var description: String {
        """
        \(device): \(framesPerSecond) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s"), \
        \(sampleFormat.spelling), period \(periodFrames) (\(milliseconds(periodFrames)) ms), \
        buffer \(bufferFrames) (\(milliseconds(bufferFrames)) ms)
        """
    }

    private func milliseconds(_ frames: Int) -> String {
        let tenths = (frames * 10_000 + framesPerSecond / 2) / max(1, framesPerSecond)
        return "\(tenths / 10).\(tenths % 10)"
    }
}
