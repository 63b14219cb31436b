internal import CRealtime
internal import Music
internal import Realtime
internal import Spectral

/// The phase in which a note's pitch moves: vibrato, glides, bends and a bow's wandering. The short window tells it.
struct Moving: BitwiseCopyable {
    var note: FollowedNote
    /// Seconds for which the pitch still counts as moving without another disagreement; then the long window grows again.
    var remaining: Double
    /// The short window's fundamental one and two steps ago.
    var before: Double
    var twoBefore = 0.0
    /// How much it has changed per step, at the last window's middle and, led on, at the next one's.
    var slope = 0.0
    var nextSlope = 0.0
    /// How far off what was expected the last fundamentals were, at most, and how far the last one was.
    var surprise: Double
    var stray = 0.0
    /// Whether the partials of the last fit lay further apart than noise explains.
    var isScattered = false
    /// The B that the last window found which was asked, 0 for none.
    var suspected = 0.0
    private var slow = LongFit()
    private var apart = 0
    private var filter: MovingPitch

    /// Begins with the fit of the short window that departed from the long one, and tells it.
    ///
    /// - Parameter told: the last reading, in radians per sample.
    @_noLocks init(
        _ note: FollowedNote, _ quick: HarmonicEstimate, blocks short: Int, told: Double, _ analyzer: inout NoteAnalyzer
    ) {
        self.note = note
        self.note.innovation.forgetDifference()
        remaining = analyzer.constants.movingTime
        before = quick.constrained
        filter = MovingPitch(quick.constrained, told: told, least: analyzer.constants.leastMotion / Cents.perNeper)
        // Half a quarter tone.
        surprise = 0.015 * quick.constrained
        let samples = short * analyzer.blocks.length
        analyzer.blocks.shorten(to: short)
        tell(quick, samples: samples, analyzer)
    }

    /// Goes on from `w` without a slope: what the fits before told was of another B.
    @_noLocks mutating func restart(from w: Double) {
        (before, twoBefore, slope, nextSlope) = (w, 0, 0, 0)
        surprise = 0.015 * w
        filter = MovingPitch(w, told: 0)
    }

    /// Takes in the newest step; returns the next phase, `nil` where the note is gone.
    @_noLocks mutating func advance(_ analyzer: inout NoteAnalyzer) -> Following? {
        let sizes = analyzer.sizes
        let short = analyzer.shortBlocks(of: note.tone)
        analyzer.blocks.shorten(to: max(short, sizes.long / ((1 << note.tone.level) * analyzer.blocks.length)))
        var samples = 0
        let quick = fitGlide(&samples, &analyzer)
        guard quick.constrainedVariance > 0 else { return nil }
        note.learn(quick, samples: samples, analyzer)
        if note.isChallenged, quick.tone.isUnderAnother(ringing: 0) { return nil }
        guard remaining <= 0 else {
            remaining -= sizes.stepTime
            analyzer.blocks.shorten(to: short)
            tell(quick, samples: samples, analyzer)
            return .moving(self)
        }
        guard let fit = note.fitLong(&analyzer, before: slow, isMoving: true, isSettled: false) else { return nil }
        slow = fit
        apart = note.compare(quick, with: slow, blocks: short, after: sizes.stepTime, analyzer) ? apart + 1 : 0
        if apart >= 2 {
            note.innovation.forgetDifference()
            (apart, remaining) = (0, analyzer.constants.movingTime)
            analyzer.blocks.shorten(to: short)
        }
        // Just come to rest, the long window is not long enough yet to be worth a change. Nor is it where a vibrato only
        // passes its mean.
        if remaining > 0 || Double(slow.blocks) < analyzer.constants.settlingWindows * Double(short) || apart > 0
            || filter.restlessness(beyond: analyzer.constants.leastMotion / Cents.perNeper)
                > analyzer.constants.restlessness
        {
            tell(quick, samples: samples, analyzer)
            return .moving(self)
        }
        note.innovation.expect(wobble: filter.motion)
        return .steady(Steady(note, slow, told: filter.fundamental, analyzer))
    }

    /// Tells where the pitch was 10.7 ms ago, whatever the window and the copy it is seen through.
    ///
    /// A low note needs a longer window and a slower copy, so it is seen later. The difference is made up for along the
    /// line through the last fits.
    @_noLocks private mutating func tell(_ quick: HarmonicEstimate, samples: Int, _ analyzer: borrowing NoteAnalyzer) {
        let (sizes, constants, level) = (analyzer.sizes, analyzer.constants, note.tone.level)
        // Half the window, and the low-pass of the copy.
        let delay = Double(samples << level) / 2 + (level > 0 ? Double(9 << level) : 0)
        let late = max(0, min(2, (delay / sizes.rate - constants.readingDelay) / sizes.stepTime))
        let bound = quick.constrainedVariance * analyzer.bank.noiseDensity(level)
        filter.add(
            quick.constrained, bound: bound / (quick.constrained * quick.constrained), after: sizes.stepTime,
            late: late,
            constants)
        let isInMotion = remaining > 0 && twoBefore > 0
        note.tell(
            filter.fundamental, variance: quick.constrainedVariance, scatter: quick.scatter,
            between: constants.wanderWeight * note.innovation.wander + constants.motionWeight * filter.variance
                + filter.lead
                + constants.delayDoubt * constants.delayDoubt * filter.squareSpeed
                // At rest the long window is there again, and may be the one that is right.
                + (isInMotion ? 0 : constants.biasWeight * note.innovation.bias),
            samples: samples, departure: 0, repetition: nil,
            stray: isInMotion ? stray : nil, analyzer)
    }
}
