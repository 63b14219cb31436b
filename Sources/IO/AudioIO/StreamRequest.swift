public import Music

/// What a program asks of a sound device. The device grants what it can: see `StreamFormat`.
public struct StreamRequest: Sendable, Hashable {
    /// The device's name, as `aplay -L` and `arecord -L` list it.
    public var device: String
    /// Frames per second, a whole number. `nil`: 48 kHz, or the nearest that the device has. A given rate is granted exactly
    /// or refused.
    public var sampleRate: Hertz?
    /// Channels of the device. `nil`: 2, or the nearest that it has. A given count is granted exactly or refused.
    public var channelCount: Int?
    /// The channel that is heard or played: the mean of all, or each of them alike, unless one is named.
    package var channel: ChannelChoice = .mean
    /// Frames per transfer, rounded up to a power of two.
    ///
    /// Sound servers work in powers of two: at another period the round-trip latency wanders (sd 189 frames at 480).
    public var periodFrames: Int
    /// Frames that the device buffers, several periods.
    public var bufferFrames: Int
    /// Whether captured samples are delivered. If not, the stream only keeps time.
    public var deliversSamples = true
    /// What happens when the device goes away while it runs.
    package var whenLost: WhenLost = .end
    /// Whether playback doubles its period and buffer, up to a period of 1,024, when it underruns twice within ten seconds:
    /// the machine cannot keep up with the sizes that were asked for.
    public var growsOnXruns = true

    /// What a stream does when its device is lost.
    package enum WhenLost: Sendable, Hashable {
        /// It ends, and `failure` tells the reason.
        case end
        /// It waits for the device and goes on, as if the frames in between had passed unheard.
        case reopen
    }

    /// A request for listening: period 512, buffer 8,192. Lost samples matter there, and latency does not.
    public static func capture(device: String = "default") -> StreamRequest {
        StreamRequest(device: device, periodFrames: 512, bufferFrames: 8_192)
    }

    /// A request for playing, with a buffer of four periods. 256 frames are the fewest that run without underruns on a
    /// busy desktop.
    public static func playback(device: String = "default", periodFrames: Int = 256) -> StreamRequest {
        StreamRequest(device: device, periodFrames: periodFrames, bufferFrames: 4 * periodFrames)
    }

    private init(device: String, periodFrames: Int, bufferFrames: Int) {
        (self.device, self.periodFrames, self.bufferFrames) = (device, periodFrames, bufferFrames)
    }
}
