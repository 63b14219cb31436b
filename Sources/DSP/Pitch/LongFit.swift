internal import CRealtime
internal import Spectral

/// What the long window of a followed note said last.
struct LongFit: BitwiseCopyable {
    /// w in radians per sample and its variance in white noise of unit density.
    var fundamental = 0.0
    var variance = 0.0
    /// The variance that the scatter of its partials tells beyond white noise.
    var scatter = 0.0
    var blocks = 0
    var samples = 0
    /// The repetition rate of a stiff tone, in radians per sample.
    var repetition: Double?
    var tone = FittedTone()
    @_noLocks init() {}
}

extension FollowedNote {
    /// Fits the long window; `nil` where the note is gone, or is another one.
    ///
    /// - Parameters:
    ///   - before: what the long window said last.
    ///   - isMoving: whether the pitch has moved a short time ago: B is not looked for then.
    @_noLocks mutating func fitLong(
        _ analyzer: inout NoteAnalyzer, before: LongFit, isMoving: Bool, isSettled: Bool
    ) -> LongFit? {
        let (sizes, constants) = (analyzer.sizes, analyzer.constants)
        let all = analyzer.grown(analyzer.blocks.count, level: tone.level)
        let last = lastLongFit
        lastLongFit = clock.samples
        if !isMoving, isSettled, isDueForStiffness(blocks: all, isScattered: before.scatter > 0, since: last, analyzer)
        {
            searchStiffness(blocks: all, heard: before.tone.heardPartials(), &analyzer)
        }
        // B and decay are looked for now and then, and followed once they are found.
        let unknown = sizes.samples(constants.unknownInterval)
        let isStiffnessFree =
            tone.partials >= 5 && !isMoving
            && (tone.stiffness > 0 || clock.samples < sizes.short
                || clock.reaches(unknown / 8, every: unknown, since: last))
        let isDecayFree = isDecaying || clock.reaches(3 * unknown / 8, every: unknown, since: last)
        let slow = analyzer.refine(
            analyzer.fits.long, tone, blocks: all, partials: tone.partials,
            prior: isStiffnessFree ? stiffnessPrior : nil, decays: isDecayFree ? 2 : 0, weights: nil)
        guard slow.constrainedVariance > 0, !analyzer.isCommonMeasure(slow.tone, level: tone.level) else {
            return nil
        }
        // What began as the wrong octave shows in a longer window.
        if clock.samples < sizes.samples(constants.octaveDoubt),
            slow.tone.isUnderAnother(ringing: belief.ringing / reading.frequency)
        {
            return nil
        }
        let samples = Double(all * analyzer.blocks.length)
        strength = 1 - (1 - slow.explained) * samples / max(samples / 8, samples - Double(2 * tone.partials + 5))
        // Two unknowns without effect come to 2 on average, and to 14 in one case of a thousand.
        if isDecayFree { isDecaying = slow.decayEvidence > (isDecaying ? 8 : 14) }
        heard = slow.tone.highestPresent
        let partials = sizes.samples(constants.partialsInterval)
        if clock.reaches(9 * partials / 16, every: partials, since: last) {
            tone.partials = min(tone.partials, max(8, slow.tone.highestPresent + 4))
            analyzer.blocks.limit(partials: tone.partials)
        }
        var fit = LongFit()
        (fit.fundamental, fit.variance, fit.scatter) = (slow.constrained, slow.constrainedVariance, slow.scatter)
        (fit.blocks, fit.samples) = (all, all * analyzer.blocks.length)
        if isStiffnessFree, updateStiffness(slow, blocks: all, analyzer) {
            let w = slow.fundamental
            fit.fundamental = w
            fit.variance = slow.fundamentalVariance + w * slow.covariance + w * w / 4 * slow.inharmonicityVariance
        }
        if tone.stiffness > 0 {
            if before.repetition == nil || clock.reaches(unknown / 4, every: unknown, since: last) {
                looseness = slow.tone.stiffnessDoubt(noise: slow.residual / samples)
            }
            fit.repetition = slow.tone.repetition()
        } else if isStiffnessFree {
            let highest = InharmonicityPrior.highest(at: frequency(analyzer))
            looseness = analyzer.looseness(slow, fundamental: slow.constrained, highest: highest)
        }
        fit.tone = slow.tone
        return fit
    }
}
