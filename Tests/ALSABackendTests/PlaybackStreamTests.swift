import ALSABackend
import AudioIO
import Foundation
import Synchronization
import TestSignals
import Testing

/// Plays 1, 2, 3, … in steps of 2^-20, so that every frame says which one it is; skipped frames leave their numbers
/// out. Silence is 0 and no frame of its own.
struct NumberedFrames: FrameRenderer, Sendable {
    private var next = 0
    mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            next += 1
            frames[i] = Float(next) / 1_048_576
        }
    }
    mutating func skip(frames count: Int) { next += count }
    static func number(of sample: Float) -> Int { Int(sample * 1_048_576) }
}

func waitUntil(_ limit: Duration = .seconds(20), _ condition: () -> Bool) -> Bool {
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

    @Test func `Every frame reaches both channels of the card bit by bit, and the last ones by draining`() throws {
        let name = try card.device("channels 2 format FLOAT_LE outfile \"\(card.path("numbers.raw"))\"")
        let device = try PlaybackDevice(.playback(device: name))
        #expect(device.format.periodFrames == 256 && device.format.bufferFrames == 1_024)
        var stream = try PlaybackStream(device, playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 20_000 }; try #require(ok) }
        stream.stop(.drained)
        let played = try card.bytes(of: "numbers.raw").floats
        let frames = Int(stream.report().statistics.transferredFrames)
        #expect(played.count == 2 * frames)
        let numbers = (2..<2 * frames + 2).map { Float($0 / 2) / 1_048_576 }
        #expect(played == numbers)
        #expect(stream.report().state == .ended && stream.failure == nil)
    }

    @Test(arguments: SampleFormat.playable)
    func `Every sample format of a card is played`(format: SampleFormat) throws {
        let outfile = "played-\(format.spelling).raw"
        let name = try card.device(
            "speed 10 channels 1 format \(format.spelling) outfile \"\(card.path(outfile))\"")
        let device = try PlaybackDevice(.playback(device: name))
        #expect(device.format.sampleFormat == format)
        var stream = try PlaybackStream(device, playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 30_000 }; try #require(ok) }
        stream.stop()
        let bytes = try card.bytes(of: outfile)
        var played = [Float](repeating: 0, count: bytes.count / format.bytesPerSample)
        played.withUnsafeMutableBufferPointer { values in bytes.withUnsafeBytes { format.decode($0, into: values) } }
        // Half a step of 16 bits; the wider formats hold steps of 2^-20 exactly.
        let tolerance: Float = format == .s16LE ? 0.5 / 32_768 : 0
        #expect(played.count > 30_000)
        #expect(played.enumerated().allSatisfy { abs($1 - Float($0 + 1) / 1_048_576) <= tolerance })
    }

    @Test func `The heard moment of a frame follows the card's own position`() throws {
        // A card of known latency: frame F is heard F / rate after the start, plus the latency.
        let name = try card.device("latency 480 outfile \"\(card.path("heard.raw"))\"")
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 30_000 }; try #require(ok) }
        let now = MonotonicTime.now()
        let report = stream.report()
        let heard = try #require(report.clock.frame(at: now))
        // What is written and not heard yet: the latency, and of the buffer all but what is waiting to be filled.
        let ahead = report.statistics.transferredFrames - heard
        #expect(ahead >= 480 && ahead <= 480 + 1_024 + 256, "\(ahead) frames ahead")
        let moment = stream.heardTime(ofFrame: heard + 48_000)
        let later = try #require(moment)
        #expect(abs((later - now).inSeconds - 1) < 0.001)
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
        #expect(stream.failure?.exitStatus == 75)
    }

    @Test func `A card that runs and does not move is lost after a second`() throws {
        let name = try card.device("stall_after 10000")
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: name)), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().state == .ended }; try #require(ok) }
        #expect(stream.failure == .lost(device: name, reason: "it stopped moving"))
    }

    @Test func `Stopping at once does not wait for the buffer, and stopping twice does no harm`() throws {
        var request = StreamRequest.playback(device: try card.device(""))
        request.periodFrames = 4_096
        request.bufferFrames = 4 * 48_000
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: NumberedFrames())
        do { let ok = waitUntil { stream.report().statistics.transferredFrames > 100_000 }; try #require(ok) }
        let before = MonotonicTime.now()
        stream.stop()
        // The buffer holds 3 s; half of that is far from both.
        #expect(MonotonicTime.now() - before < .milliseconds(1_500))
        stream.stop(.drained)
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
            #expect(stream.format.sampleRate == 48_000)
        }
        #expect(Counted.alive.load(ordering: .relaxed) == 0)
    }
}
