import AudioIO
import Testing

/// 0, 1, 2, … whatever the block size.
private struct Counter: FrameRenderer {
    var next: Float = 0
    mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            frames[i] = next
            next += 1
        }
    }
}

@Suite struct FrameRendererTests {
    @Test(arguments: [0, 1, 255, 256, 257, 1_000])
    func `Skipping moves on as rendering does`(count: Int) {
        var counter = Counter()
        counter.skip(frames: count)
        #expect(counter.next == Float(count))
    }
}
