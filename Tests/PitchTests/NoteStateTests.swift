import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct NoteSizesTests {
    @Test func `The longest window is what was asked for in samples of the widest copy`() {
        let seed: UInt64 = 115
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let rate = Double.random(in: 8_000...192_000, using: &generator).rounded()
            let asked = generator.logUniform(0.085, 1)
            let sizes = NoteSizes(sampleRate: rate, hop: Int(rate / 187.5), longestWindow: asked)
            let copy = rate / (rate > 100_000 ? 4 : rate > 50_000 ? 2 : 1)
            #expect(sizes.rate == copy && (copy >= 24_000 || copy == rate) && copy <= 50_000)
            // Never below 4,096 samples at 48 kHz, in which a note is found.
            let seconds = max(4_096 / 48_000, asked)
            #expect(abs(Double(sizes.long) - seconds * copy) < 1, "seed \(seed): \(rate) Hz, \(asked) s")
            #expect(abs(Double(sizes.middle) * 48_000 / copy - 4_096) < 48_000 / copy)
            // Blocks are even, a hop or less, and enough of them are kept for the longest window of every copy.
            for level in 0..<NoteSizes.levelCount {
                let block = sizes.blockLength(level: level)
                #expect(block >= 2 && block % 2 == 0 && (block << level <= sizes.hop || block == 2))
                #expect((sizes.long >> level) / block <= sizes.mostBlocks)
            }
        }
    }
}
