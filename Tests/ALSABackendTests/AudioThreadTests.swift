import ALSABackend
import AudioIO
import CAllocationProbe
import Synchronization
import TestSignals
import Testing

/// Counts the heap calls of the rendering thread, including those of the I/O loop and alsa-lib.
private struct HeapWatch: FrameRenderer, Sendable {
    /// The count; -1 before it is taken. Passed in, so that nothing is initialized on the audio thread.
    final class Counts: Sendable {
        let first = Atomic<Int>(-1)
        let last = Atomic<Int>(-1)
        let control = Atomic<Int>(-1)
    }

    /// From the 200th period on, after all one-time work.
    static var from: Int { 200 }
    static var to: Int { 1_200 }
    private let counts: Counts
    private var periods = 0
    private var made: [Float] = []

    init(_ counts: Counts) { self.counts = counts }

    mutating func render(into frames: inout MutableSpan<Float>) {
        let count = allocation_probe_count()
        frames.update(repeating: 0)
        periods += 1
        if periods == HeapWatch.from { counts.first.store(count, ordering: .relaxed) }
        if periods == HeapWatch.to { counts.last.store(count, ordering: .relaxed) }
        // A control: the last part allocates an array in each period.
        if periods > HeapWatch.to, periods <= HeapWatch.to + 10 { made = [Float](repeating: 0, count: periods) }
        if periods == HeapWatch.to + 11 { counts.control.store(count, ordering: .relaxed) }
    }
}

@Suite(.timeLimit(.minutes(10))) struct AudioThreadTests {
    private let card: TestCard
    init() throws { card = try TestCard.shared() }

    @Test func `A thousand periods of playing make no heap call`() throws {
        // A recovery after an xrun of a busy machine is not counted here.
        for _ in 0..<5 {
            var request = StreamRequest.playback(device: try card.device("channels 2 format S32_LE"))
            (request.periodFrames, request.bufferFrames, request.growsOnXruns) = (128, 16_384, false)
            let counts = HeapWatch.Counts()
            var stream = try PlaybackStream(try PlaybackDevice(request), playing: HeapWatch(counts))
            let isOver = waitUntil { counts.control.load(ordering: .relaxed) >= 0 }
            stream.stop()
            try #require(isOver)
            let statistics = stream.report().statistics
            guard statistics.xruns == 0, statistics.discontinuities == 0 else { continue }
            let (first, last) = (counts.first.load(ordering: .relaxed), counts.last.load(ordering: .relaxed))
            #expect(first > 0, "the probe has seen the thread's beginning")
            #expect(last - first == 0)
            let control = counts.control.load(ordering: .relaxed)
            #expect(control - last >= 18, "the probe sees arrays made and freed")
            return
        }
        Issue.record("five runs of four seconds, each with an xrun")
    }
}
