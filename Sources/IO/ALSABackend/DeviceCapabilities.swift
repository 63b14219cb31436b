package import AudioIO
internal import CALSA
internal import Glibc

/// What a device supports, asked without setting it up.
package struct DeviceCapabilities: Sendable, Hashable, CustomStringConvertible {
    /// The sample formats, of those that streams use, best first.
    package let formats: [SampleFormat]
    /// The sample rates, of the usual ones from 8 to 192 kHz.
    package let sampleRates: [Hertz]
    package let channelCounts: ClosedRange<Int>

    /// Asks a device, which is opened for that. Throws `AudioError`, as opening a stream does: `busy` if another program
    /// holds it.
    package init(of device: String, _ direction: StreamDirection) throws(AudioError) {
        let pcm = try openHandle(device, direction)
        defer { snd_pcm_close(pcm) }
        let space = try HardwareParameters(of: pcm, device: device)
        formats = SampleFormat.playable.filter { snd_pcm_hw_params_test_format(pcm, space.raw, $0.pcmFormat) == 0 }
        let rates = Self.usualRates.filter { snd_pcm_hw_params_test_rate(pcm, space.raw, UInt32($0), 0) == 0 }
        sampleRates = rates.map(\.hertz)
        var (fewest, most) = (UInt32(0), UInt32(0))
        guard snd_pcm_hw_params_get_channels_min(space.raw, &fewest) == 0,
            snd_pcm_hw_params_get_channels_max(space.raw, &most) == 0, fewest >= 1, fewest <= most
        else { throw .deviceFailed(device: device, reason: "it has no channels") }
        channelCounts = Int(fewest)...Int(most)
    }

    private static let usualRates = [
        8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
    ]

    /// One line: `FLOAT_LE S16_LE; 44100 48000 Hz; 1 to 8 channels`.
    package var description: String {
        let (fewest, most) = (channelCounts.lowerBound, channelCounts.upperBound)
        let channels = fewest == most ? "\(most) channel\(most == 1 ? "" : "s")" : "\(fewest) to \(most) channels"
        let rates =
            sampleRates.isEmpty
            ? "no usual rate" : sampleRates.map { "\(Int($0.value))" }.joined(separator: " ") + " Hz"
        let formats = formats.isEmpty ? "no format known here" : formats.map(\.spelling).joined(separator: " ")
        return "\(formats); \(rates); \(channels)"
    }
}
