internal import CRealtime
internal import Realtime
internal import Spectral

/// The tone at whose partials blocks are measured: w in radians per sample of a copy, B, and the number of partials.
struct FollowedTone: BitwiseCopyable {
    var level = 0
    var partials = 0
    var fundamental = 0.0
    var stiffness = 0.0
    /// Index of the sample after the last block.
    var blockEnd = 0
    @_noLocks init() {}
}

// The window that follows a note: made of blocks, grown and fitted.
extension NoteAnalyzer {
    /// Measures the newest `count` blocks anew, at a tone's own frequencies.
    @_noLocks mutating func measureBlocks(_ count: Int, length: Int, of tone: FollowedTone) {
        let fit = fits.long
        fit.pointee.gram.tune(fundamental: tone.fundamental, inharmonicity: tone.stiffness, partials: tone.partials)
        blocks.start(fit.pointee.gram.frequency.unsafeElements, partials: tone.partials, length: length)
        let behind = bank.count(tone.level) - tone.blockEnd
        let samples = bank.latest(count * length + behind, of: tone.level)
        for b in 0..<count {
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[(b * length)..<((b + 1) * length)]))
        }
    }

    /// Measures the samples that have come since the last block, as far as they fill one.
    @_noLocks mutating func appendBlocks(of tone: inout FollowedTone) {
        let length = blocks.length
        while bank.count(tone.level) - tone.blockEnd >= length {
            let behind = bank.count(tone.level) - tone.blockEnd
            let samples = bank.latest(behind, of: tone.level)
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[0..<length]))
            tone.blockEnd += length
        }
    }

    /// How many blocks the short window of a tone has.
    @_noLocks func shortBlocks(of tone: FollowedTone) -> Int {
        let period = 2 * Double.pi / tone.fundamental
        let samples = max(Double(sizes.short >> tone.level), constants.shortPeriods * period)
        return min(blocks.count, max(2, Int(rt_ceil(samples / Double(blocks.length)))))
    }

    /// How many of `count` blocks to fit: every new length is a new set of normal equations, so the window grows in
    /// steps of an eighth to a quarter.
    @_noLocks func grown(_ count: Int, level: Int) -> Int {
        let longest = sizes.long / ((1 << level) * blocks.length)
        if count >= longest { return longest }
        var step = 1
        while 8 * step <= count { step *= 2 }
        return count - count % step
    }

    /// Fits the newest `count` blocks, from where the tone is now; twice when the first step was a long one.
    ///
    /// - Parameters:
    ///   - prior: what is known of B; without it B stays as it is.
    ///   - weights: the tone of a longer window, which knows better which partials are there.
    @_noLocks mutating func refine(
        _ fit: UnsafeMutablePointer<HarmonicFit>, _ tone: FollowedTone, blocks count: Int, partials: Int,
        prior: InharmonicityPrior?, decays: Int, weights: FittedTone?
    ) -> HarmonicEstimate {
        var (w, b) = (tone.fundamental, tone.stiffness)
        let highest = InharmonicityPrior.highest(at: w * scale(tone.level))
        var estimate = HarmonicEstimate()
        for _ in 0..<2 {
            let samples = count * blocks.length
            let reach = Double(partials) * Double(samples) / 2
            let isNear =
                abs(w - fit.pointee.gram.fundamental) * reach < 0.2
                && abs(b - fit.pointee.gram.inharmonicity) * w * reach * Double(partials * partials) / 2 < 0.2
            if !isNear || fit.pointee.gram.length != samples || fit.pointee.gram.partialCount != partials {
                fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
                let off = abs(fit.pointee.gram.frequency.unsafeElements[partials] - blocks.frequency(of: partials))
                if off * Double(blocks.length) / 2 > 0.25 {
                    var moved = tone
                    (moved.fundamental, moved.stiffness) = (w, b)
                    measureBlocks(blocks.count, length: blocks.length, of: moved)
                    fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
                }
                fit.pointee.gram.build(length: samples)
            }
            let energy = blocks.gather(count, into: fit)
            estimate = fit.pointee.solve(
                energy: energy, prior: prior, decays: decays, weights: weights,
                least: prior == nil ? HarmonicFit.leastPower : HarmonicFit.leastStiffPower)
            guard estimate.constrainedVariance > 0 else { return estimate }
            let isStiff = prior != nil && tone.stiffness > 0
            let next = isStiff ? estimate.fundamental : estimate.constrained
            if abs(next - fit.pointee.gram.fundamental) * reach < 0.3 { break }
            w = HarmonicEstimate.step(from: w, to: next)
            if isStiff { b = min(highest, max(0, estimate.inharmonicity)) }
        }
        return estimate
    }
}
