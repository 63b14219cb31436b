import ALSABackend
public import AudioIO
import DeviceCalibration
import Foundation
import Music
import Synchronization
public import TestSignals
import Testing

extension NumberedFrames: FrameRenderer {}

func waitUntil(_ limit: Duration = .seconds(120), _ condition: () -> Bool) -> Bool {
    let deadline = MonotonicTime.now() + limit
    while !condition() {
        if MonotonicTime.now() > deadline { return false }
        usleep(5_000)
    }
    return true
}

@Suite(.timeLimit(.minutes(10))) struct PlaybackStreamTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    /// A request with a buffer longer than the stalls of a busy machine.
    private func patient(_ device: String) -> StreamRequest {
        var request = StreamRequest.playback(device: device)
        (request.periodFrames, request.bufferFrames) = (1_024, 32_768)
        return request
    }

    @Test func `A request is for four periods, by default of 256 frames`() throws {
        let name = try card.device("channels 2")
        let device = try PlaybackDevice(.playback(device: name))
        #expect(device.format.periodFrames == 256 && device.format.bufferFrames == 1_024)
        let small = try PlaybackDevice(.playback(device: name, periodFrames: 64))
        #expect(small.format.periodFrames == 64 && small.format.bufferFrames == 256)
    }

    @Test func `A period that may not grow stays, and the user is told once that it is too small`() throws {
        let name = try card.device("fail_errno 32 fail_after 5000 fail_every 5000 channels 1")
        var request = StreamRequest.playback(device: name, periodFrames: 128)
        request.growsOnXruns = false
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.needsLargerPeriod }; try #require(ok) }
        let report = stream.report()
        stream.stop()
        #expect(report.statistics.enlargements == 0 && report.statistics.xruns >= 2)
        var news = DeviceNews(of: name)
        #expect(news.next(report, because: nil)?.hasSuffix("choose a larger period") == true)
        #expect(news.next(report, because: nil) == nil)
    }

    @Test func `Every frame reaches both channels of the card bit by bit`() throws {
        try measure("both channels") {
            let file = card.newFile("numbers.raw")
            let name = try card.device("channels 2 format FLOAT_LE outfile \"\(card.path(file))\"")
            var stream = try PlaybackStream(try PlaybackDevice(patient(name)), playing: NumberedFrames())
            do { let ok = waitUntil { stream.report().statistics.transferredFrames > 50_000 }; try #require(ok) }
            stream.stop()
            let report = stream.report()
            var verdict = Verdict(starvation: report.statistics.starvation)
            let played = try card.bytes(of: file).floats
            let frames = Int(report.statistics.transferredFrames)
            verdict.require(played.count == 2 * frames, "\(played.count) samples of \(frames) frames")
            let numbers = (2..<2 * frames + 2).map { Float($0 / 2) / 1_048_576 }
            verdict.require(played == numbers, "not frame by frame")
            verdict.require(report.state == .ended && stream.failure == nil, "\(report.state)")
            return verdict
        }
    }

    @Test(arguments: SampleFormat.playable)
    func `Every sample format of a card is played`(format: SampleFormat) throws {
        try measure("format \(format)") {
            let file = card.newFile("played.raw")
            let name = try card.device(
                "speed 2 channels 1 format \(format.spelling) outfile \"\(card.path(file))\"")
            let device = try PlaybackDevice(patient(name))
            let granted = device.format.sampleFormat
            var stream = try PlaybackStream(device, playing: NumberedFrames())
            do { let ok = waitUntil { stream.report().statistics.transferredFrames > 40_000 }; try #require(ok) }
            stream.stop()
            var verdict = Verdict(starvation: stream.report().statistics.starvation)
            verdict.require(granted == format, "\(granted)")
            let bytes = try card.bytes(of: file)
            var played = [Float](repeating: 0, count: bytes.count / format.bytesPerSample)
            played.withUnsafeMutableBufferPointer { values in
                bytes.withUnsafeBytes { format.decode($0, into: values) }
            }
            // Half a step of 16 bits; the wider formats hold steps of 2^-20 exactly.
            let tolerance: Float = format == .s16LE ? 0.5 / 32_768 : 0
            verdict.require(played.count > 40_000, "\(played.count) frames")
            let wrong = played.enumerated().first { abs($1 - Float($0 + 1) / 1_048_576) > tolerance }
            verdict.require(wrong == nil, "\(String(describing: wrong))")
            return verdict
        }
    }

    @Test func `The heard moment of a frame follows the card's own position`() throws {
        // A card of known latency: frame F is heard F / rate after the start, plus the latency.
        let name = try card.device("latency 480")
        try measure("the heard moment") {
            var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
            do { let ok = waitUntil { stream.report().statistics.transferredFrames > 30_000 }; try #require(ok) }
            let now = MonotonicTime.now()
            let report = stream.report()
            // More than half a millisecond (24 frames) between the two reads means that this thread did not run.
            let isTorn = MonotonicTime.now() - now > .microseconds(500)
            let heard = report.clock.frame(at: now)
            let later = heard.flatMap { stream.heardTime(ofFrame: $0 + 48_000) }
            stream.stop()
            var verdict = Verdict(starvation: report.statistics.starvation + (isTorn ? ["a torn look"] : []))
            // Written and not heard yet: the latency and the filled part of the buffer.
            let ahead = report.statistics.transferredFrames - (try #require(heard))
            verdict.require(ahead >= 480 && ahead <= 480 + 1_024 + 256, "\(ahead) frames ahead")
            let off = (try #require(later) - now).inSeconds - 1
            verdict.require(abs(off) < 0.001, "\(off) s off")
            return verdict
        }
    }

    @Test func `A card that runs dry is counted and playing goes on`() throws {
        let name = try card.device(
            "fail_errno 32 fail_after 20000 fail_count 2 channels 1 outfile \"\(card.path("dry.raw"))\"")
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 60_000 }; try #require(ok) }
        #expect(stream.report().statistics.xruns >= 2)
        #expect(stream.report().state == .running)
        stream.stop()
        let numbers = try card.bytes(of: "dry.raw").floats.map(NumberedFrames.number)
        #expect(numbers.count > 60_000)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 || $1 == 0 }, "no frame sounds twice")
    }

    @Test(arguments: [(19, "no such device"), (5, "input/output error"), (32, "it fails again after every recovery")])
    func `A lost card ends the stream with the reason`(number: Int, reason: String) throws {
        let name = try card.device("fail_errno \(number) fail_after 10000 fail_count 10")
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().state == .ended }; try #require(ok) }
        #expect(stream.failure == .lost(device: name, reason: reason))
    }

    @Test func `A card that runs and does not move is lost after a second`() throws {
        let name = try card.device("stall_after 10000")
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().state == .ended }; try #require(ok) }
        #expect(stream.failure == .lost(device: name, reason: "it transfers no frames"))
    }

    @Test func `Stopping at once does not wait for the buffer, and stopping twice does no harm`() throws {
        var request = StreamRequest.playback(device: try card.device(""))
        request.periodFrames = 4_096
        request.bufferFrames = 4 * 48_000
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 100_000 }; try #require(ok) }
        let before = MonotonicTime.now()
        stream.stop()
        // The buffer holds 3 s.
        #expect(MonotonicTime.now() - before < .milliseconds(1_500))
        stream.stop()
        #expect(stream.report().state == .ended)
    }

    @Test func `A stream that goes out of scope frees its renderer`() throws {
        struct Counted: FrameRenderer, ~Copyable, Sendable {
            static let alive = Atomic<Int>(0)
            init() { Counted.alive.add(1, ordering: .relaxed) }
            deinit { Counted.alive.subtract(1, ordering: .relaxed) }
            mutating func render(into frames: inout MutableSpan<Float>) { frames.update(repeating: 0) }
        }
        do {
            let stream = try PlaybackStream(
                try PlaybackDevice(.playback(device: try card.device(""))), playing: Counted())
            #expect(Counted.alive.load(ordering: .relaxed) == 1)
            #expect(stream.format.sampleRate == 48.kilohertz)
        }
        #expect(Counted.alive.load(ordering: .relaxed) == 0)
    }
}
