internal import AudioIO
internal import Configuration
internal import DeviceCalibration

extension OutputOptions {
    /// The frames per second of a file or a table.
    var fileRate: Int { Int((rate ?? 48.kilohertz).value) }

    /// What is asked of the device that plays.
    func playbackRequest(_ period: PeriodOption) -> StreamRequest {
        var request = period.request(device: device)
        (request.sampleRate, request.channelCount) = (rate, channels)
        request.channel = channel.map { .number($0) } ?? .mean
        return request
    }
}
