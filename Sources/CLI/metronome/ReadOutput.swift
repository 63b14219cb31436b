internal import AudioIO
internal import Music
internal import TerminalUI

extension OutputOptions {
    /// The rate asked for in frames per second, if one was.
    func readRate() throws(CommandError) -> Int? {
        guard let rate else { return nil }
        let value = rate > 0 && rate < 300 ? rate * 1_000 : rate
        guard (4_000...768_000).contains(value) else {
            throw CommandError(.usage, "--rate \(rate): expected 4000 to 768000 frames per second")
        }
        return value
    }

    /// The number of channels asked for, if one was.
    func readChannels() throws(CommandError) -> Int? {
        guard let channels else { return nil }
        guard (1...256).contains(channels) else {
            throw CommandError(.usage, "--channels \(channels): expected 1 to 256")
        }
        return channels
    }

    /// The channel that plays.
    func readChannel() throws(CommandError) -> ChannelChoice {
        guard let channel else { return .mean }
        guard (1...256).contains(channel) else {
            throw CommandError(.usage, "--channel \(channel): expected 1 to 256")
        }
        return .number(channel)
    }

    /// What is asked of the device that plays.
    func playbackRequest() throws(CommandError) -> StreamRequest {
        var request = StreamRequest.playback(device: device)
        request.sampleRate = try readRate()?.hertz
        request.channelCount = try readChannels()
        request.channel = try readChannel()
        return request
    }
}
