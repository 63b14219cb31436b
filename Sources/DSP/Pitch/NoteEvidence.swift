internal import CRealtime
internal import Spectral

/// What speaks for a note while it is looked for: how periodic the window is, how much of it a harmonic tone explains,
/// and for how long successive windows have agreed.
///
/// Clarity and explained power fall short for different reasons: an attack that grows or decays repeats less but is
/// explained; breath and bow noise are not explained but leave the period. So their shortfalls are added. Noise has both
/// by chance now and then, but not at the same pitch twice.
struct NoteEvidence: BitwiseCopyable {
    /// The height of the normalised difference at the period, 0 to 1.
    var clarity: Double
    /// The share of the power that a tone whose amplitudes may grow or decay explains, 0 to 1.
    var explained: Double
    /// How many periods the window holds.
    var periods: Double
    /// Seconds for which windows have agreed within `agreement`.
    var agreed: Double
    /// Whether another note rings, or a sound without a note has gone on for a full window.
    var isOverAnother = false
    /// Whether two periods say too little about the inharmonicity: below 60 Hz.
    var isLow = false
    /// Whether the sound repeats much better at a multiple of the period.
    var isPartOfLonger = false

    /// 35 cents, as a ratio less one: less than half of the distance to the nearest other note.
    static var agreement: Double { @_noLocks get { 0.0204 } }

    @_noLocks init(clarity: Double, explained: Double, periods: Double, agreed: Double) {
        (self.clarity, self.explained, self.periods, self.agreed) = (clarity, explained, periods, agreed)
    }

    /// What a note found in a window of `length` samples has.
    @_noLocks init(
        _ found: FoundNote, clarity: Double, length: Int, agreed: Double, _ belief: NoteBelief,
        _ analyzer: borrowing NoteAnalyzer
    ) {
        (self.clarity, explained, self.agreed) = (clarity, found.explainedByDecay, agreed)
        periods = Double(length) * found.frequency / analyzer.sizes.rate
        (isOverAnother, isLow) = (belief.isOverAnother, found.frequency < 60)
        isPartOfLonger = analyzer.candidates.hasClearerMultiple(
            of: analyzer.sizes.rate / found.frequency, below: analyzer.constants.clearPeriod, analyzer.constants)
    }

    /// Clarity and explained share together.
    var sum: Double { @_noLocks get { clarity + explained } }

    /// Whether this is a tone without noise, which needs no second window: a hundredth is what noise 20 dB below leaves.
    ///
    /// One of the two may fall short of that for another reason: clarity where a tone rises, the explained share where it
    /// has more partials than are fitted at first.
    @_noLocks private func isPure(_ constants: PitchConstants) -> Bool {
        min(clarity, explained) >= constants.clearPeriod && max(clarity, explained) > 0.99
    }

    /// Whether this is enough.
    @_noLocks func isEnough(_ constants: PitchConstants) -> Bool {
        if isPure(constants) { return true }
        let needed = isOverAnother ? constants.agreementWhileRinging : constants.agreementAfterSilence
        guard periods >= constants.leastPeriods, agreed >= needed, !isPartOfLonger else { return false }
        // Two sounds at once agree with themselves as well.
        let share = isOverAnother ? 0 : min(1, (agreed - needed) / constants.longAgreement)
        let least = constants.leastEvidence + share * (constants.leastAgreedEvidence - constants.leastEvidence)
        return clarity > constants.leastPart && sum > least
            && explained > (isLow ? constants.leastExplainedLow : constants.leastPart)
    }
}
