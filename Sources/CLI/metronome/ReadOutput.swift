internal import AudioIO
internal import Configuration
internal import DeviceCalibration

extension OutputOptions {
    /// The rate asked for in frames per second, if one was.
    func readRate() throws(CommandError) -> Int? {
        guard let rate else { return nil }
        let value = frameRate(option: rate)
        guard (4_000...highestFrameRate).contains(value) else {
            throw CommandError(
                .usage, "--rate \(rate) is out of range", remedy: "use 4000 to \(highestFrameRate) frames per second")
        }
        return value
    }

    /// The number of channels asked for, if one was.
    func readChannels() throws(CommandError) -> Int? { try read(channels, "--channels") }

    /// The channel that plays.
    func readChannel() throws(CommandError) -> ChannelChoice {
        try read(channel, "--channel").map { .number($0) } ?? .mean
    }

    private func read(_ channels: Int?, _ option: String) throws(CommandError) -> Int? {
        guard let channels, !(1...256).contains(channels) else { return channels }
        throw CommandError(.usage, "\(option) \(channels) is out of range", remedy: "use 1 to 256")
    }

    /// What is asked of the device that plays.
    func playbackRequest(_ period: PeriodOption) throws(CommandError) -> StreamRequest {
        var request = period.request(device: device)
        request.sampleRate = try readRate()?.hertz
        request.channelCount = try readChannels()
        request.channel = try readChannel()
        return request
    }
}
