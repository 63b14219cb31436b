import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct PartialBlocksTests {
    /// Σ y cos, Σ y sin, Σ m y cos and Σ m y sin about the middle, term by term.
    private func moments(_ y: ArraySlice<Float>, _ omega: Double) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        for (n, sample) in y.enumerated() {
            let m = Double(n) - Double(y.count - 1) / 2
            let (c, s) = (Double(sample) * cos(omega * m), Double(sample) * sin(omega * m))
            sums = [sums[0] + c, sums[1] + s, sums[2] + m * c, sums[3] + m * s]
        }
        return sums
    }

    /// How far the blocks' second order may be off at δ: |e^{-iδm} - 1 + iδm + δ²m²/2| ≤ |δm|³ / 6, and one order less
    /// where a factor m is in front.
    private func bound(_ y: ArraySlice<Float>, _ delta: Double, block: Int) -> (plain: Double, timed: Double) {
        var (plain, timed) = (0.0, 0.0)
        for (n, sample) in y.enumerated() {
            let m = abs(Double(n % block) - Double(block - 1) / 2)
            let tau = abs(Double(n / block * block) + Double(block - 1) / 2 - Double(y.count - 1) / 2)
            let size = abs(Double(sample))
            plain += size * pow(delta * m, 3) / 6
            timed += size * (tau * pow(delta * m, 3) / 6 + m * pow(delta * m, 2) / 2)
        }
        return (plain, timed)
    }

    @Test
    func `A window put together from blocks has the moments of its samples, beside the frequencies they were made at`()
    {
        let seed: UInt64 = 87
        var generator = SeededGenerator(seed: seed)
        var (worst, count) = (0.0, 0)
        for trial in 0..<120 {
            let length = 2 * Int.random(in: 8...32, using: &generator)
            let partials = Int.random(in: 1...12, using: &generator)
            let capacity = Int.random(in: 3...12, using: &generator)
            // More than there is room for, in most cases: the ring goes round.
            let given = Int.random(in: 1...20, using: &generator)
            let w = Double.random(in: 0.02...(2.8 / Double(partials + 1)), using: &generator)
            let b = Bool.random(using: &generator) ? 0 : Double.random(in: 0...3e-4, using: &generator)
            var gram = HarmonicGram()
            gram.tune(fundamental: w, inharmonicity: b, partials: partials)
            var blocks = PartialBlocks(capacity: capacity, longestBlock: 64)
            blocks.start(gram.frequency.unsafeElements, partials: partials, length: length)
            let samples = (0..<(given * length)).map { _ in Float.random(in: -1...1, using: &generator) }
            let block = SampleBuffer<Float>(count: length)
            for n in 0..<given {
                for m in 0..<length { block.unsafeElements[m] = samples[n * length + m] }
                blocks.append(block.unsafeElements)
            }
            #expect(blocks.count == min(given, capacity) && blocks.length == length)
            let asked = Int.random(in: 1...blocks.count, using: &generator)
            let window = samples.suffix(asked * length)
            // Off by up to 0.25 radians at the ends of a block, or not at all.
            let off =
                trial % 3 == 0 ? 0 : 0.5 * Double.random(in: -1...1, using: &generator) / Double(partials * length)
            let fits = HarmonicFits()
            fits.short.pointee.gram.tune(fundamental: w + off, inharmonicity: b, partials: partials)
            let energy = blocks.gather(asked, into: fits.short)
            let square = window.reduce(0.0) { $0 + Double($1) * Double($1) }
            // Sums of floats in runs of 64.
            #expect(square > 0 && abs(energy / square - 1) < 1e-5)
            let fit = fits.short
            for k in 0...partials {
                let omega = fit.pointee.gram.frequency.start[k]
                let delta = abs(omega - gram.frequency.start[k])
                #expect(blocks.frequency(of: k) == gram.frequency.start[k])
                let truth = moments(window, omega)
                let found = [
                    fit.pointee.cosineMoment.start[k], fit.pointee.sineMoment.start[k],
                    fit.pointee.cosineSlopeMoment.start[k], fit.pointee.sineSlopeMoment.start[k],
                ]
                let allowed = bound(window, delta, block: length)
                // Floats of 1e-7, turned 20 times, in sums of random signs.
                let rounding = 1e-5 * Double(window.count).squareRoot()
                let half = Double(window.count) / 2
                for n in 0..<4 {
                    let limit = n < 2 ? allowed.plain + rounding : allowed.timed + rounding * half
                    #expect(abs(found[n] - truth[n]) < limit, "seed \(seed), trial \(trial), partial \(k), \(n)")
                    worst = max(worst, limit / (n < 2 ? 1 : half) / Double(window.count))
                    count += 1
                }
            }
        }
        // What is allowed stays below a hundredth of what a partial of amplitude 1 comes to (N / 2).
        #expect(count > 1_000 && worst < 0.005, "\(worst)")
    }

    @Test func `Shortening keeps the newest blocks, and a limit leaves the lower partials as they were`() {
        var generator = SeededGenerator(seed: 88)
        let length = 16
        var gram = HarmonicGram()
        gram.tune(fundamental: 0.2, inharmonicity: 0, partials: 12)
        let samples = (0..<(10 * length)).map { _ in Float.random(in: -1...1, using: &generator) }
        let block = SampleBuffer<Float>(count: length)
        var blocks = PartialBlocks(capacity: 6, longestBlock: length)
        blocks.start(gram.frequency.unsafeElements, partials: 12, length: length)
        for n in 0..<10 {
            if n == 7 { blocks.shorten(to: 2) }
            if n == 9 { blocks.limit(partials: 4) }
            for m in 0..<length { block.unsafeElements[m] = samples[n * length + m] }
            blocks.append(block.unsafeElements)
            #expect(blocks.count == (n < 6 ? n + 1 : n == 6 ? 6 : n - 4))
        }
        let fits = HarmonicFits()
        fits.long.pointee.gram.tune(fundamental: 0.2, inharmonicity: 0, partials: 4)
        _ = blocks.gather(5, into: fits.long)
        for k in 0...4 {
            let truth = moments(samples.suffix(5 * length), gram.frequency.start[k])
            // As above, at δ = 0.
            #expect(abs(fits.long.pointee.cosineMoment.start[k] - truth[0]) < 1e-4)
            #expect(abs(fits.long.pointee.sineMoment.start[k] - truth[1]) < 1e-4)
        }
        blocks.start(gram.frequency.unsafeElements, partials: 3, length: 8)
        #expect(blocks.count == 0 && blocks.length == 8)
    }
}
