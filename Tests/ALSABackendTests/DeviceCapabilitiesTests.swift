import ALSABackend
import AudioIO
import Music
import Testing

@Suite struct DeviceCapabilitiesTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    @Test func `A card tells its formats, rates and channels`() throws {
        let narrow = try card.device("format S16_LE rate 44100 channels 6")
        let found = try DeviceCapabilities(of: narrow, .playback)
        #expect(found.formats == [.s16LE] && found.sampleRates == [44_100.hertz] && found.channelCounts == 6...6)
        #expect(found.description == "S16_LE; 44100 Hz; 6 channels")
        let wide = try DeviceCapabilities(of: try card.device("latency 0"), .capture)
        #expect(wide.formats == SampleFormat.playable && wide.channelCounts == 1...8)
        #expect(
            wide.sampleRates.first == 8.kilohertz && wide.sampleRates.last == 192.kilohertz
                && wide.sampleRates.count == 12)
    }

    @Test func `A card that cannot be asked says why`() throws {
        let (busy, none) = (try card.device("open_errno 16"), "nosuch")
        #expect(throws: AudioError.busy(device: busy)) { _ = try DeviceCapabilities(of: busy, .playback) }
        #expect(throws: AudioError.self) { _ = try DeviceCapabilities(of: none, .playback) }
    }
}
