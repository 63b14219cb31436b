public import Music

/// What a program asks of a sound device. The device grants what it can: see `StreamFormat`.
public struct StreamRequest: Sendable, Hashable {
    /// The device's name, as `aplay -L` and `arecord -L` list it.
    public var device: String
    /// The sample rate, a whole number. `nil`: 48 kHz, or the nearest the device has. A given rate is granted exactly or
    /// refused.
    public var rate: Hertz? {
        get { sampleRate?.hertz }
        set { sampleRate = newValue.map { Int($0.value.rounded()) } }
    }
    package var sampleRate: Int?
    /// Channels of the device. `nil`: 2, or the nearest it has. A given count is granted exactly or refused.
    public var channelCount: Int?
    /// Which channels are listened to, or play: without a number the mean of all, or each of them alike.
    package var channel: ChannelChoice = .mean
    /// Frames per transfer; a power of two, or it is rounded up to one.
    ///
    /// Sound servers work in powers of two: at another period the loop latency wanders (sd 189 frames at 480).
    public var periodFrames: Int
    /// Frames the device holds, several periods.
    public var bufferFrames: Int
    /// Whether what is heard is handed on (capture). Without, a stream only keeps time: nobody has to read it.
    public var deliversSamples = true
    /// What happens when the device goes away while it runs.
    package var whenLost: WhenLost = .end
    /// Whether playback goes over to twice the period and buffer, up to a period of 1,024, when it runs dry twice
    /// within ten seconds: this machine cannot keep up with what was asked for.
    public var growsOnXruns = true

    /// What a stream does when its device is lost.
    package enum WhenLost: Sendable, Hashable {
        /// It ends, and `failure` says why.
        case end
        /// It waits for the device and goes on, as if the frames in between had passed unheard.
        case reopen
    }

    /// A request for listening: period 512, buffer 8,192. Latency does not matter there, lost samples do.
    public static func capture(device: String = "default") -> StreamRequest {
        StreamRequest(device: device, periodFrames: 512, bufferFrames: 8_192)
    }

    /// A request for playing: period 256, buffer 1,024, the smallest that runs without underruns on a busy desktop.
    public static func playback(device: String = "default") -> StreamRequest {
        StreamRequest(device: device, periodFrames: 256, bufferFrames: 1_024)
    }

    internal init(device: String, periodFrames: Int, bufferFrames: Int) {
        (self.device, self.periodFrames, self.bufferFrames) = (device, periodFrames, bufferFrames)
    }
}
