internal import CRealtime
internal import Music
internal import Spectral

/// What is known of a note that is followed, whether it is steady or moves.
struct FollowedNote: BitwiseCopyable {
    var tone = FollowedTone()
    /// The highest partial that is present.
    var heard = 0
    /// The variance of w that comes from not knowing B yet, or not well, in (radians per sample)².
    var looseness = 0.0
    /// What the note has told of B so far.
    var memory = StiffnessMemory()
    /// Whether the note decays enough to be seen.
    var isDecaying = true
    var clock = NoteClock()
    /// What the short window's fits tell of noise and motion, and the time in samples of the last one.
    var innovation: PitchInnovation
    var lastFit = 0
    /// The time of the long window's last fit.
    var lastLongFit = 0
    /// The share of the newest 20 ms that the fit explains, and of the whole window.
    var explained = 0.0
    var strength = 0.0
    /// The mean of `explained` over the innovation memory.
    private(set) var usuallyExplained = 0.0
    /// The mean power of a step over the innovation memory.
    var usualPower = 0.0
    /// Whether an attack has come since, or the fit explains much less than before: it may be another note's sound.
    var isChallenged = false
    /// Seconds for which a lone line has gone on as was to be expected.
    var smoothness = 0.0
    var belief: NoteBelief
    var reading: NoteReading

    /// A note of which nothing is known.
    @_noLocks init(_ constants: PitchConstants = PitchConstants()) {
        innovation = PitchInnovation(constants)
        belief = NoteBelief()
        reading = NoteReading()
    }

    /// Starts to follow a note that was found; measures its window.
    @_noLocks init(
        _ outcome: Acquiring.Outcome, _ found: FoundNote, in stretch: Stretch, after acquiring: Acquiring,
        _ analyzer: inout NoteAnalyzer
    ) {
        let sizes = analyzer.sizes
        heard = min(found.partials, max(8, found.tone.highestPresent))
        tone.level = found.level
        tone.partials = analyzer.partials(of: found.frequency, level: found.level)
        (tone.fundamental, tone.stiffness) = (found.fundamental, found.stiffness)
        tone.blockEnd = analyzer.bank.count(found.level)
        let isSame =
            abs(found.fundamental / acquiring.remembered.fundamental - 1) <= 0.02
            && found.level == acquiring.remembered.level
        if isSame { memory = acquiring.memory }
        if found.stiffness > 0 { memory.add(found.estimate, after: .broad(), share: 1) }
        innovation = PitchInnovation(analyzer.constants)
        // As far as is known.
        smoothness = analyzer.constants.smoothTime
        strength = found.explained
        (belief, reading) = (acquiring.belief, outcome.reading)
        let length = sizes.blockLength(level: found.level)
        let known = analyzer.count(of: found.level, since: stretch.start, isOnset: stretch.isOnset)
        analyzer.measureBlocks(min(known, sizes.middle >> found.level) / length, length: length, of: tone)
    }

    /// Whether the note has been followed for long enough to count beside the next one.
    @_noLocks func isEstablished(_ analyzer: borrowing NoteAnalyzer) -> Bool {
        clock.samples > analyzer.sizes.samples(analyzer.constants.establishment)
    }

    /// Hertz, without B.
    @_noLocks func frequency(_ analyzer: borrowing NoteAnalyzer) -> Double {
        tone.fundamental * analyzer.scale(tone.level)
    }

    /// Takes in a fit of the short window on `samples` samples of the copy.
    @_noLocks mutating func learn(_ quick: HarmonicEstimate, samples: Int, _ analyzer: borrowing NoteAnalyzer) {
        let elapsed = Double(clock.samples - lastFit) / analyzer.sizes.rate
        let bound = quick.constrainedVariance * analyzer.bank.noiseDensity(tone.level)
        let rate = analyzer.sizes.rate
        innovation.add(
            quick.constrained, bound: bound / (quick.constrained * quick.constrained),
            after: elapsed, window: Double(samples << tone.level) / rate)
        lastFit = clock.samples
        // Each amplitude explains a sample even of noise.
        let free = Double(samples - 2 * quick.tone.count - 3) / Double(samples)
        explained = 1 - (1 - quick.explained) / max(0.1, free)
        let share = usuallyExplained == 0 ? 1 : min(1, elapsed / analyzer.constants.innovationMemory)
        usuallyExplained += share * (explained - usuallyExplained)
    }

    /// Leaves a reading of the fundamental `w`, which rests on `samples` samples of the copy.
    ///
    /// The variance is that of white noise at least. What the scatter of the partials within the window and the
    /// differences of successive windows (`between`, relative) tell beyond that comes on top.
    ///
    /// - Parameters:
    ///   - departure: by what share the reading departs from the fit.
    ///   - repetition: radians per sample, `nil` where it is the first partial.
    @_noLocks mutating func tell(
        _ w: Double, variance: Double, scatter: Double, between: Double, samples: Int, departure: Double,
        repetition: Double?, stray: Double?, _ analyzer: borrowing NoteAnalyzer
    ) {
        let (constants, scale) = (analyzer.constants, analyzer.scale(tone.level))
        tone.fundamental = w
        reading.frequency = w * rt_sqrt(1 + tone.stiffness) * scale * (1 + departure)
        reading.inharmonicity = tone.stiffness
        reading.periodicity = repetition.map { $0 * scale } ?? reading.frequency
        let density = analyzer.bank.noiseDensity(tone.level)
        let chance = max(0, variance * density)
        let spread = constants.scatterWeight * scatter * density
        // By the second search B has been looked for in windows that tell it, or the pitch moves, as that of a driven tone,
        // whose partials are harmonic.
        let isLoose = tone.stiffness > 0 || clock.samples < analyzer.sizes.samples(constants.secondSearch)
        let loose = isLoose ? looseness : 0
        // With a B the looseness is made of the same scatter, which counts once.
        let apart = tone.stiffness > 0 ? max(spread, loose) : spread + loose
        reading.standardError = Cents.perNeper * rt_sqrt(chance + apart + w * w * between) / w
        reading.window = (samples << tone.level) * analyzer.sizes.base
        let error = Cents.perNeper * rt_sqrt(chance) / w
        let step = analyzer.sizes.stepTime
        belief.agree(on: reading.frequency, at: analyzer.end)
        belief.count(reading.frequency, standardError: error, step: step, most: 2 * constants.steadyTime)
        smoothness = isSmooth(w, standardError: error, stray: stray, constants) ? smoothness + step : 0
        let isClear =
            reading.clarity >= constants.toldClarity
            || (reading.clarity > constants.noisyClarity && explained > constants.toldExplained)
        reading.isVoiced =
            isClear && smoothness >= constants.smoothTime
            || belief.isSteady(for: constants.steadyTime, strength: strength, level: tone.level)
    }

    /// Whether the pitch goes on as was to be expected; asked of a lone line only.
    ///
    /// Noise in a narrow band is a line to a short window, but fades and wanders off within the inverse of its bandwidth.
    /// A tone does not fade, and a vibrato and a glide stay on the parabola of the last three fits: within a few cents
    /// even where it is ± 100 cents wide at 7 Hz. Partials that hold together are evidence enough.
    ///
    /// - Parameter stray: how far the last fit of a moving pitch lay from what was expected, in radians per sample.
    @_noLocks private func isSmooth(
        _ w: Double, standardError: Double, stray: Double?, _ constants: PitchConstants
    ) -> Bool {
        if heard > 1 { return true }
        guard explained > constants.smoothExplained else { return false }
        guard let stray else { return true }
        // Four standard errors, but 8 cents at least: what a vibrato of ± 100 cents at 7 Hz departs from a parabola.
        return Cents.perNeper * stray / w < max(8, 4 * standardError)
    }
}
