internal import Music
internal import Realtime

/// What is known of each string while a strum is fitted, besides its law.
struct StringFindings: ~Copyable, Sendable {
    /// What speaks for each string, and the most that does for any.
    let evidence: SampleBuffer<StringEvidence>
    var largestGain = 0.0
    /// The most that has spoken for each string in the windows of this strum that tell silent ones: by its first partial, over
    /// the largest gain, and by its clearance.
    let firsts: SampleBuffer<Double>, clearances: SampleBuffer<Double>
    /// The same by its typical partial, times that partial's share of its gain.
    let evens: SampleBuffer<Double>
    /// By how much more lies on the lowest partials of each string than others have there: the sum over partials and windows of
    /// this strum, and how many these are.
    let excesses: SampleBuffer<Double>, excessCounts: SampleBuffer<Double>
    /// Strings that are not in the sound, and so not in the model.
    let isSilent: SampleBuffer<Bool>
    /// Strings that share all their partials, without which the others cannot explain the newest window.
    let isNeeded: SampleBuffer<Bool>
    /// Strings that wait until others have been placed.
    let isSetAside: SampleBuffer<Bool>
    /// Strings that may have the place of another.
    let isDoubted: SampleBuffer<Bool>
    /// Strings whose partials are no foreign lines.
    let isCounted: SampleBuffer<Bool>
    /// How far apart the fits lie that explain a window nearly as well, as a variance of each string in square cents.
    let doubts: SampleBuffer<Double>
    /// How many cents the law of each string lies above the pitch that the string comes to, and the variance of that.
    let glides: SampleBuffer<Double>, glideVariances: SampleBuffer<Double>
    /// What the last window told of each string that fades, of which longer ones tell no more.
    let lasting: SampleBuffer<StringReading>
    /// What stood for both strings of a course, at the second one.
    let courseLaws: SampleBuffer<StringLaw>

    init(stringCount: Int, prior: StrumPrior) {
        evidence = SampleBuffer(count: stringCount, repeating: StringEvidence())
        firsts = SampleBuffer(count: stringCount)
        clearances = SampleBuffer(count: stringCount)
        evens = SampleBuffer(count: stringCount)
        doubts = SampleBuffer(count: stringCount)
        excesses = SampleBuffer(count: stringCount)
        excessCounts = SampleBuffer(count: stringCount)
        glides = SampleBuffer(count: stringCount)
        glideVariances = SampleBuffer(count: stringCount)
        isSilent = SampleBuffer(count: stringCount, repeating: false)
        isNeeded = SampleBuffer(count: stringCount, repeating: false)
        isSetAside = SampleBuffer(count: stringCount, repeating: false)
        isCounted = SampleBuffer(count: stringCount, repeating: false)
        isDoubted = SampleBuffer(count: stringCount, repeating: false)
        lasting = SampleBuffer(count: stringCount, repeating: StringReading(silent: Hertz(1)))
        courseLaws = SampleBuffer(count: stringCount, repeating: StringLaw(prior))
    }

    /// Forgets what lies on the partials of a string, for the next strum.
    @_noLocks func clearExcess(_ string: Int) {
        (excesses.unsafeElements[string], excessCounts.unsafeElements[string]) = (0, 0)
    }

    /// Forgets what the last window has told alone.
    @_noLocks func beginWindow() {
        for s in 0..<doubts.unsafeElements.count { (isNeeded.unsafeElements[s], doubts.unsafeElements[s]) = (false, 0) }
    }
}
