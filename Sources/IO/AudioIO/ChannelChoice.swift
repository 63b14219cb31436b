/// How the channels of a stream become one.
package enum ChannelChoice: Sendable, Hashable {
    /// The arithmetic mean of all channels, which cannot clip.
    ///
    /// A sound server that is asked for one channel of a stereo source may give (L + R) / √2 instead, 3 dB more.
    case mean
    /// One channel, counted from 1 as on the front panel of an interface.
    case number(Int)

    /// The number of the channel, if it is one.
    package var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// Checks that a stream of `channelCount` channels has the chosen one.
    package func check(channelCount: Int) throws(AudioError) {
        if case .number(let number) = self, number < 1 || number > channelCount {
            throw .noSuchChannel(number, of: channelCount)
        }
    }

    /// Mixes interleaved frames down to one sample each.
    ///
    /// - Parameters:
    ///   - interleaved: at least `mono.count * channelCount` samples.
    ///   - channelCount: 1 or more; the chosen channel is among them.
    ///   - mono: receives one sample a frame.
    package func mixDown(
        _ interleaved: UnsafePointer<Float>, channelCount: Int, into mono: UnsafeMutableBufferPointer<Float>
    ) {
        switch self {
        case .number(let number):
            for frame in mono.indices { mono[frame] = interleaved[frame * channelCount + number - 1] }
        case .mean where channelCount == 1:
            for frame in mono.indices { mono[frame] = interleaved[frame] }
        case .mean:
            let scale = 1 / Float(channelCount)
            for frame in mono.indices {
                // Scaled before they are added, so that the largest floats do not overflow.
                var sum: Float = 0
                for channel in 0..<channelCount { sum += interleaved[frame * channelCount + channel] * scale }
                mono[frame] = sum
            }
        }
    }
}
