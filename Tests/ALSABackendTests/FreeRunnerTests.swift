import ALSABackend
import AudioIO
import Foundation
import Music
import TestSignals
import Testing

/// ALSA's `null`, which transfers everything at once and reports no delay.
@Suite(.timeLimit(.minutes(10))) struct FreeRunnerTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

    @Test func `A device without a clock is played to at the pace of the system's`() throws {
        var stream = try PlaybackStream(try PlaybackDevice(.playback(device: "null")), playing: NumberedFrames())
        let start = MonotonicTime.now()
        usleep(1_000_000)
        let (report, elapsed) = (stream.report(), (MonotonicTime.now() - start).inSeconds)
        let heard = report.clock.frame(at: .now())
        stream.stop()
        #expect(report.statistics.isPacedBySystem)
        // Ahead by what it took before it was detected, 8 buffers and periods of 1,280 frames, and by its buffer.
        let written = Double(report.statistics.transferredFrames)
        #expect(written > 0.9 * elapsed * 48_000 && written < elapsed * 48_000 + 12 * 1_280)
        // Frames have moments, so beats are shown: now is that of a frame already written.
        let place = Double(try #require(heard))
        #expect(place > 0.5 * elapsed * 48_000 && place <= written + 480)
        #expect(report.statistics.xruns == 0 && report.statistics.lostFrames == 0 && stream.failure == nil)
    }

    @Test func `A device without a clock is listened to at the pace of the system's`() throws {
        var stream = try CaptureStream(.capture(device: "null"))
        var samples = try taken(from: &stream)
        let start = MonotonicTime.now()
        let (heard, _, _) = try listen(to: &samples, count: 96_000)
        let elapsed = (MonotonicTime.now() - start).inSeconds
        let report = stream.report()
        stream.stop()
        #expect(report.statistics.isPacedBySystem)
        // Two seconds of sound, of which 8 times 8,704 frames came before it was detected.
        #expect(heard.count >= 96_000 && elapsed > 0.4)
        #expect(report.statistics.transferredFrames < Int64(elapsed * 48_000) + 10 * 8_704)
    }
}
