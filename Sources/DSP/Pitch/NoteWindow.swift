internal import CRealtime
internal import Realtime
internal import Spectral

// The window that follows a note: made of blocks, grown and fitted.
extension HarmonicDetector {
    /// Measures the newest `count` blocks anew, at the note's own frequencies.
    @_noLocks mutating func measureBlocks(_ count: Int, length: Int) {
        let fit = fits.long
        fit.pointee.gram.tune(fundamental: note.fundamental, inharmonicity: note.stiffness, partials: note.partials)
        blocks.start(fit.pointee.gram.frequency.unsafeElements, partials: note.partials, length: length)
        let behind = bank.count(note.level) - note.blockEnd
        let samples = bank.latest(count * length + behind, of: note.level)
        for b in 0..<count {
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[(b * length)..<((b + 1) * length)]))
        }
    }

    @_noLocks mutating func appendBlocks() {
        let length = blocks.length
        while bank.count(note.level) - note.blockEnd >= length {
            let behind = bank.count(note.level) - note.blockEnd
            let samples = bank.latest(behind, of: note.level)
            blocks.append(UnsafeMutableBufferPointer(rebasing: samples[0..<length]))
            note.blockEnd += length
        }
    }

    /// How many of the newest blocks to fit: every new length is a new set of normal equations, so that the window grows
    /// in steps of an eighth to a quarter.
    @_noLocks func grown(_ count: Int) -> Int {
        let longest = sizes.long / ((1 << note.level) * blocks.length)
        if count >= longest { return longest }
        var step = 1
        while 8 * step <= count { step *= 2 }
        return count - count % step
    }

    /// Fits the newest `count` blocks, from where the note is now; twice when the first step was a long one.
    @_noLocks mutating func refine(
        _ fit: UnsafeMutablePointer<HarmonicFit>, blocks count: Int, partials: Int, freeStiffness: Bool, decays: Int
    ) -> HarmonicEstimate {
        var (w, b) = (note.fundamental, note.stiffness)
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
                    (note.fundamental, note.stiffness) = (w, b)
                    measureBlocks(blocks.count, length: blocks.length)
                    fit.pointee.gram.tune(fundamental: w, inharmonicity: b, partials: partials)
                }
                fit.pointee.gram.build(length: samples)
            }
            let energy = blocks.gather(count, into: fit)
            let prior = freeStiffness ? stiffnessPrior : nil
            // The long window knows best which partials are there.
            let weights =
                fit == fits.short && fits.long.pointee.gram.length > samples ? fits.long.pointee.weight.base : nil
            estimate = fit.pointee.solve(
                energy: energy, prior: prior, decays: decays, weights: weights, least: freeStiffness ? 6 : 2.5)
            guard estimate.constrainedVariance > 0 else { return estimate }
            let isStiff = freeStiffness && note.stiffness > 0
            let next = isStiff ? estimate.fundamental : estimate.constrained
            if abs(next - fit.pointee.gram.fundamental) * reach < 0.3 { break }
            w = min(1.02 * w, max(0.98 * w, next))
            if isStiff { b = min(highestStiffness, max(0, estimate.inharmonicity)) }
        }
        return estimate
    }
}
