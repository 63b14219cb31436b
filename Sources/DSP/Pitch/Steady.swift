internal import CRealtime
internal import Music
internal import Realtime
internal import Spectral

/// The phase in which a note's pitch holds still: the long window tells it, a short one watches.
struct Steady: BitwiseCopyable {
    var note: FollowedNote
    private(set) var slow = LongFit()
    /// Watches in a row in which short and long window disagreed.
    private var apart = 0
    /// The reading: a mean of the long window's fits.
    private var told = SettledPitch()

    @_noLocks init(_ note: FollowedNote) { self.note = note }

    /// After a pitch that moved and has come to rest.
    ///
    /// - Parameter told: the last reading, in radians per sample.
    @_noLocks init(_ note: FollowedNote, _ slow: LongFit, told: Double, _ analyzer: borrowing NoteAnalyzer) {
        (self.note, self.slow, self.told) = (note, slow, SettledPitch(told, variance: slow.variance))
        tell(analyzer)
    }

    /// Takes in the newest step; returns the next phase, `nil` where the note is gone.
    @_noLocks mutating func advance(_ analyzer: inout NoteAnalyzer) -> Following? {
        let (sizes, constants) = (analyzer.sizes, analyzer.constants)
        let (level, length) = (note.tone.level, analyzer.blocks.length)
        let short = analyzer.shortBlocks(of: note.tone)
        analyzer.blocks.shorten(to: max(short, sizes.long / ((1 << level) * length)))
        // At rest the two windows are fitted in turn.
        let isAtRest = note.clock.samples > sizes.samples(constants.youth) && apart == 0
        let interval = sizes.samples(constants.restInterval)
        let elapsed = isAtRest ? constants.restInterval : sizes.stepTime
        var quick: HarmonicEstimate?
        if !isAtRest || note.clock.reaches(0, every: interval) {
            let isShorter = slow.samples > short * length
            let fit = analyzer.refine(
                analyzer.fits.short, note.tone, blocks: short, partials: note.heard, prior: nil,
                decays: note.isDecaying ? 1 : 0, weights: isShorter ? slow.tone : nil)
            guard fit.constrainedVariance > 0 else { return nil }
            note.learn(fit, samples: short * length, analyzer)
            quick = fit
        }
        if !isAtRest || note.clock.reaches(interval / 2, every: interval) || slow.blocks == 0 {
            guard let fit = note.fitLong(&analyzer, before: slow, isMoving: false, isSettled: apart == 0) else {
                return nil
            }
            slow = fit
        }
        if let quick, isApart(quick, blocks: short, after: elapsed, analyzer) {
            return .moving(Moving(note, quick, blocks: short, told: told.fundamental, &analyzer))
        }
        tell(analyzer)
        return .steady(self)
    }

    /// Whether the short window has departed twice in a row by more than chance from the long one and what that lags behind.
    @_noLocks private mutating func isApart(
        _ quick: HarmonicEstimate, blocks short: Int, after elapsed: Double, _ analyzer: borrowing NoteAnalyzer
    ) -> Bool {
        let isNow = note.compare(quick, with: slow, lag: note.innovation.lag, blocks: short, after: elapsed, analyzer)
        apart = isNow ? apart + 1 : 0
        return apart >= 2
    }

    @_noLocks private mutating func tell(_ analyzer: borrowing NoteAnalyzer) {
        let constants = analyzer.constants
        let window = Double(slow.samples << note.tone.level) / analyzer.sizes.rate
        let lag = note.innovation.lag
        // What is made up for is no error.
        let bias = max(0, note.innovation.bias - lag * lag)
        told.add(
            slow.fundamental * (1 + lag), variance: slow.variance, window: window,
            after: analyzer.sizes.stepTime, share: constants.settlingShare)
        note.tell(
            slow.fundamental, variance: told.variance(window: window), scatter: slow.scatter,
            between: constants.wobbleWeight * note.innovation.wobble + constants.biasWeight * bias,
            samples: slow.samples,
            departure: told.fundamental / slow.fundamental - 1, repetition: slow.repetition, stray: nil, analyzer)
    }
}

extension FollowedNote {
    /// Notes by how much the short window lies above the long one, `elapsed` seconds after the last time; returns whether
    /// that is more than chance and a `lag` which is known: a string that glides as it decays is no pitch that moves.
    @_noLocks mutating func compare(
        _ quick: HarmonicEstimate, with slow: LongFit, lag: Double = 0, blocks short: Int, after elapsed: Double,
        _ analyzer: borrowing NoteAnalyzer
    ) -> Bool {
        let difference = quick.constrained / slow.fundamental - 1
        let chance = rt_sqrt(quick.constrainedVariance * analyzer.bank.noiseDensity(tone.level)) / slow.fundamental
        innovation.add(
            difference: difference, bound: chance * chance, after: elapsed,
            window: Double(short * analyzer.blocks.length << tone.level) / analyzer.sizes.rate)
        // Five standard errors: one case in two million.
        return slow.blocks > short
            && Cents.perNeper * abs(difference - lag) > max(5 * Cents.perNeper * chance, analyzer.constants.leastMotion)
    }
}
