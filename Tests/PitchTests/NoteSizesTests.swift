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
            let sizes = NoteSizes(sampleRate: rate, step: Int(rate / 187.5), longestWindow: asked)
            let copy = rate / (rate > 100_000 ? 4 : rate > 50_000 ? 2 : 1)
            #expect(sizes.rate == copy && (copy >= 24_000 || copy == rate) && copy <= 50_000)
            // Never below 4,096 samples at 48 kHz, in which a note is found.
            let seconds = max(4_096 / 48_000, asked)
            #expect(abs(Double(sizes.long) - seconds * copy) < 1, "seed \(seed): \(rate) Hz, \(asked) s")
            #expect(abs(Double(sizes.middle) * 48_000 / copy - 4_096) < 48_000 / copy)
            // Blocks are even, a step or less, and enough of them are kept for the longest window of every copy.
            for level in 0..<NoteSizes.levelCount {
                let block = sizes.blockLength(level: level)
                #expect(block >= 2 && block % 2 == 0 && (block << level <= sizes.step || block == 2))
                #expect((sizes.long >> level) / block <= sizes.mostBlocks)
            }
        }
    }
}

@Suite struct NoteClockTests {
    @Test func `A moment is reached in one step, whether or not it is a whole number of steps`() {
        for step in [120, 240, 256, 257] {
            for (moment, interval) in [(256, 512), (2_049, 2_049), (0, 1_000), (5_000, 1 << 40)] {
                var clock = NoteClock()
                var (count, last) = (0, 0)
                for _ in 0..<400 {
                    clock.advance(by: step)
                    if clock.reaches(moment, every: interval) { count += 1 }
                    // Asked in every third step only, no moment is missed.
                    if clock.samples / step % 3 == 0 { last = clock.samples }
                }
                // Half a step early counts; the start itself is none.
                let end = clock.samples + step / 2
                let expected = (end - moment) / interval + 1 - (moment - step / 2 <= 0 ? 1 : 0)
                #expect(last > 0 && count == expected, "\(step) \(moment) \(interval): \(count)")
            }
        }
    }

    @Test func `Moments since an earlier time are those of the steps between`() {
        var (clock, together, last) = (NoteClock(), 0, 0)
        var single = 0
        for n in 1...600 {
            clock.advance(by: 240)
            if clock.reaches(700, every: 2_049) { single += 1 }
            if n % 5 == 0 {
                if clock.reaches(700, every: 2_049, since: last) { together += 1 }
                last = clock.samples
            }
        }
        #expect(single == together && single > 60)
    }
}
