@testable import ALSABackend
import AudioIO
import Glibc
import Music
import Testing

@Suite struct OpenErrorTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    private func error(_ request: StreamRequest) -> AudioError? {
        do throws(AudioError) {
            _ = try PlaybackDevice(request)
            return nil
        } catch { return error }
    }

    @Test func `Each way in which a device cannot be opened has its error`() throws {
        // Where there is a card, what is not there is another name.
        let missing = hasSoundCard ? AudioError.unknownDevice : AudioError.noDevice
        let refusal = "ALSA refuses its definition or its settings"
        let table: [(Int32, (String) -> AudioError)] = [
            (EBUSY, AudioError.busy), (EAGAIN, AudioError.busy), (EACCES, AudioError.notPermitted),
            (EPERM, AudioError.notPermitted), (EHOSTDOWN, AudioError.noServer), (ECONNREFUSED, AudioError.noServer),
            (ENOENT, missing), (ENODEV, missing),
            (ENOMEM, { _ in .outOfResources("memory") }),
            (EINVAL, { .deviceFailed(device: $0, reason: refusal) }),
            (EIO, { .deviceFailed(device: $0, reason: "input/output error") }),
        ]
        for (number, expected) in table {
            let name = try card.device("open_errno \(number)")
            #expect(error(.playback(device: name)) == expected(name), "errno \(number)")
            #expect(throws: expected(name)) { _ = try CaptureStream(.capture(device: name)) }
        }
    }

    @Test func `An undefined name is unknown`() {
        #expect(error(.playback(device: "nosuchdevice")) == .unknownDevice(device: "nosuchdevice"))
        #expect(error(.playback(device: "")) == .unknownDevice(device: ""))
        #expect(error(.playback(device: "a{b:c")) == .unknownDevice(device: "a{b:c"))
        // A word where a number has to be: the device is there, or would be.
        guard case .deviceFailed = error(.playback(device: "hw:x,y")) else {
            Issue.record("hw:x,y")
            return
        }
        // ALSA has no more than 32 cards.
        let missing = hasSoundCard ? AudioError.unknownDevice : AudioError.noDevice
        #expect(error(.playback(device: "hw:31")) == missing("hw:31"))
    }

    @Test func `A rate or a channel count is granted exactly or refused with the nearest`() throws {
        let name = try card.device("rate 44100 channels 2")
        var request = StreamRequest.playback(device: name)
        request.sampleRate = 48.kilohertz
        #expect(error(request) == .unsupported(.sampleRate(48.kilohertz, nearest: 44_100.hertz), device: name))
        request.sampleRate = 44_100.hertz
        request.channelCount = 1
        #expect(error(request) == .unsupported(.channelCount(1, nearest: 2), device: name))
        request.channelCount = 2
        let device = try PlaybackDevice(request)
        #expect((device.format.sampleRate, device.format.channelCount) == (44_100.hertz, 2))
        for rate in [0, -1, 44_100.5, 1e300, .infinity].map(Hertz.init) {
            request.sampleRate = rate
            #expect(error(request) == .unsupported(.sampleRate(rate, nearest: 44_100.hertz), device: name))
        }
    }

    @Test func `Without a wish the nearest to 48 kHz and two channels is taken`() throws {
        let table = [("rate 44100", 44_100, 2), ("rate 96000 channels 6", 96_000, 6), ("channels 1", 48_000, 1)]
        for (settings, rate, channels) in table {
            let device = try PlaybackDevice(.playback(device: try card.device(settings)))
            #expect(device.format.sampleRate == rate.hertz && device.format.channelCount == channels, "\(settings)")
        }
    }

    @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000])
    func `Periods are powers of two at every rate`(rate: Int) throws {
        var request = StreamRequest.playback(device: try card.device(""))
        request.sampleRate = rate.hertz
        for (asked, granted) in [(64, 64), (100, 128), (256, 256), (480, 512), (1_024, 1_024)] {
            request.periodFrames = asked
            request.bufferFrames = 4 * granted
            let device = try PlaybackDevice(request)
            #expect(device.format.periodFrames == granted && device.format.bufferFrames == 4 * granted)
        }
    }

    @Test func `A card that is asked for a channel is opened with as many`() throws {
        var request = StreamRequest.capture(device: try card.device(""))
        request.channel = .number(5)
        let stream = try CaptureStream(request)
        #expect(stream.format.channelCount == 5)
        request.device = try card.device("channels 4")
        #expect(throws: AudioError.noSuchChannel(5, of: 4)) { _ = try CaptureStream(request) }
    }
}
