import Spectral
import Testing
import TestSignals

@Suite struct FrameSlicerTests {
    @Test func `Hops and history are the same however the stream was cut`() {
        var generator = SeededGenerator(seed: 5)
        let stream = (1...5_000).map { Float($0) / 5_000 }
        for _ in 0..<100 {
            let hop = Int.random(in: 1...300, using: &generator)
            let window = Int.random(in: 1...900, using: &generator)
            var slicer = FrameSlicer(hop: hop, window: window)
            var (start, hops, right) = (0, 0, true)
            while start < stream.count {
                let size = min(Int.random(in: 0...700, using: &generator), stream.count - start)
                let block = Array(stream[start..<(start + size)])
                var index = 0
                while slicer.fill(from: block.span, at: &index) {
                    hops += 1
                    let seen = slicer.latest(window)
                    for n in 0..<window {
                        let position = hops * hop - window + n
                        right = right && seen[n] == (position < 0 ? 0 : stream[position])
                    }
                }
                start += size
            }
            #expect(right && hops == 5_000 / hop && slicer.sampleCount == 5_000)
        }
    }

    @Test func `What no converter can have sent is made harmless`() {
        var slicer = FrameSlicer(hop: 7, window: 7)
        let block: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 1e-30, 0.5]
        var index = 0
        #expect(slicer.fill(from: block.span, at: &index))
        #expect(Array(slicer.latest(7)) == [0, 0, 0, 64, -64, 0, 0.5])
    }
}
