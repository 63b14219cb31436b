internal import CRealtime
internal import Music
internal import Realtime
internal import Spectral

/// The note that a fit found in a stretch of sound.
struct FoundNote: BitwiseCopyable {
    /// The first partial in hertz.
    var frequency = 0.0
    /// The repetition rate in hertz.
    var periodicity = 0.0
    /// The share of the power that the fit explains, and that it explains once the amplitudes may grow or decay.
    var explained = 0.0
    var explainedByDecay = 0.0
    /// The copy that was fitted, and how many of its samples.
    var level = 0
    var samples = 0
    var partials = 0
    /// w in radians per sample of the copy, and B.
    var fundamental = 0.0
    var stiffness = 0.0
    /// The variances of w from noise and from not knowing B, in (radians per sample)².
    var chance = 0.0
    var looseness = 0.0
    /// The power of what the fit left.
    var noise = 0.0
    var tone = FittedTone()
    /// What the fit said, where B was found.
    var estimate = HarmonicEstimate()

    @_noLocks init() {}

    /// Cents, from noise alone and in all.
    var chanceError: Double { @_noLocks get { Cents.perNeper * rt_sqrt(chance) / fundamental } }
    var standardError: Double { @_noLocks get { Cents.perNeper * rt_sqrt(chance + looseness) / fundamental } }
}

/// What is known of a note before a stretch of sound is looked at.
struct RunningNote: BitwiseCopyable {
    /// The first partial in hertz, 0 when there is no note, and B.
    var frequency = 0.0
    var stiffness = 0.0
    /// Seconds since it was found.
    var age = 0.0
    /// Whether it is followed, which makes it a candidate of its own.
    var isFollowed = false
    @_noLocks init() {}

    /// Whether `other` hertz are those of a note that has lasted so long that its octave is beyond doubt.
    @_noLocks func isOld(_ other: Double, _ constants: PitchConstants) -> Bool {
        age > constants.octaveDoubt && isSameNote(other, frequency)
    }

    @_noLocks init(frequency: Double, stiffness: Double, age: Double, isFollowed: Bool) {
        (self.frequency, self.stiffness, self.age, self.isFollowed) = (frequency, stiffness, age, isFollowed)
    }
}

/// The newest samples of the sound, from an index of the widest copy on.
struct Stretch: BitwiseCopyable {
    var start: Int
    /// Whether a sound begins there.
    var isOnset: Bool
    @_noLocks init(start: Int, isOnset: Bool) { (self.start, self.isOnset) = (start, isOnset) }
}

// The fit of a note on a stretch of sound: w, and B where it is called for.
extension NoteAnalyzer {
    /// Fits w, and B where the stretch is long enough to tell it, from a guess in hertz.
    ///
    /// - Parameters:
    ///   - running: what the step before found: it is a better guess where the two agree.
    ///   - seeksStiffness: whether to look for B at all, which costs up to 16 fits.
    @_noLocks mutating func fitNote(
        _ guess: Double, in stretch: Stretch, running: RunningNote, seeksStiffness: Bool = true
    ) -> FoundNote? {
        var level = level(for: guess)
        while level > 0 && count(of: level, since: stretch.start, isOnset: stretch.isOnset) < 40 { level -= 1 }
        let samples = count(of: level, since: stretch.start, isOnset: stretch.isOnset)
        // 40 are enough to begin with.
        let most = min(40, min(partials(of: guess, level: level), (samples - 6) / 3))
        guard most >= 1 else { return nil }
        let scale = scale(level)
        var w = guess / scale
        if running.frequency > 0, abs(guess / running.frequency - 1) < 0.005 {
            w = running.frequency / (rt_sqrt(1 + running.stiffness) * scale)
        } else {
            // Few partials first: a wrong guess turns the phase of the highest one most.
            if most > 5 { _ = improve(&w, partials: 5, level: level, samples: samples) }
            if most > 12 { _ = improve(&w, partials: 12, level: level, samples: samples) }
        }
        var rigid = w
        // That it might be stiff changes nothing in a fit without B except how far it is believed.
        let broad: InharmonicityPrior? = most >= 3 ? .broad() : nil
        var estimate = improve(&rigid, partials: most, level: level, samples: samples, prior: broad)
        if estimate.constrainedVariance <= 0 {
            estimate = improve(&rigid, partials: most, level: level, samples: samples)
        }
        // A step that turned the highest partial by more than a tenth of a radian is worth another.
        if abs(rigid - w) * Double(most * samples) > 0.2 {
            estimate = improve(&rigid, partials: most, level: level, samples: samples, prior: broad)
        }
        var found = FoundNote()
        (found.level, found.partials, found.samples) = (level, most, samples)
        found.fundamental = rigid
        var variance = estimate.constrainedVariance
        let highest = InharmonicityPrior.highest(at: guess)
        // Two periods of a low note tell nothing about B.
        if seeksStiffness, most >= 3, 2 * (end - stretch.start) >= 3 * sizes.short {
            let (last, stiff, b, isComplete) = fitStiff(
                rigid, heard: estimate.tone.heardPartials(), partials: most, level: level, samples: samples,
                highest: highest)
            // Description length: one more unknown is worth 4 ln N.
            let gain = Double(samples) * rt_log(last.residual / max(estimate.residual, 1e-30))
            if isComplete, gain + 4 * rt_log(Double(samples)) < 0, b > 0,
                !InharmonicityPrior.isBeyond(b, highest: highest)
            {
                (found.fundamental, found.stiffness) = (stiff, b)
                (estimate, found.estimate) = (last, last)
                variance = last.fundamentalVariance + stiff * last.covariance
                variance += stiff * stiff / 4 * last.inharmonicityVariance
            }
        }
        found.tone = estimate.tone
        found.noise = estimate.residual / Double(samples)
        // Each amplitude explains a sample even of noise.
        let left = Double(samples)
        found.explained = 1 - (1 - estimate.explained) * left / Double(max(samples / 8, samples - 2 * most - 3))
        found.explainedByDecay =
            1 - (1 - estimate.explainedByDecay) * left / Double(max(samples / 8, samples - 2 * most - 5))
        found.frequency = found.fundamental * rt_sqrt(1 + found.stiffness) * scale
        guard found.frequency >= 0.98 * PitchRange.lowest(), found.frequency <= PitchRange.highest() else { return nil }
        found.chance = max(0, variance * bank.noiseDensity(level))
        found.looseness = found.stiffness > 0 ? 0 : looseness(estimate, fundamental: rigid, highest: highest)
        found.periodicity = found.stiffness > 0 ? estimate.tone.repetition() * scale : found.frequency
        return found
    }

    /// Searches B from nothing.
    @_noLocks private mutating func fitStiff(
        _ rigid: Double, heard: HeardPartials, partials most: Int, level: Int, samples: Int, highest: Double
    ) -> (estimate: HarmonicEstimate, fundamental: Double, stiffness: Double, isComplete: Bool) {
        var (w, b) = (rigid, 0.0)
        var last = HarmonicEstimate()
        var search = StiffnessSearch(samples: samples, most: most, enough: most, highest: highest, heard: heard)
        while let partials = search.next(fundamental: &w, inharmonicity: &b) {
            last = estimate(
                w, b, partials: partials, level: level, samples: samples, prior: .broad(),
                least: HarmonicFit.leastStiffPower)
            guard last.fundamentalVariance > 0 else { return (last, w, b, false) }
            search.take(last, fundamental: &w, inharmonicity: &b)
        }
        return (last, w, b, search.isComplete)
    }

    /// One Gauss-Newton step of `w` without B, on the newest `samples` of a copy.
    @_noLocks mutating func improve(
        _ w: inout Double, partials: Int, level: Int, samples: Int, prior: InharmonicityPrior? = nil
    ) -> HarmonicEstimate {
        let estimate = estimate(w, 0, partials: partials, level: level, samples: samples, prior: prior)
        if estimate.constrainedVariance > 0 { w = HarmonicEstimate.step(from: w, to: estimate.constrained) }
        return estimate
    }

    @_noLocks mutating func estimate(
        _ w: Double, _ inharmonicity: Double, partials: Int, level: Int, samples: Int, prior: InharmonicityPrior?,
        least: Double = HarmonicFit.leastPower
    ) -> HarmonicEstimate {
        let trial = fits.short
        trial.pointee.gram.tune(fundamental: w, inharmonicity: inharmonicity, partials: partials)
        moments.prepare(trial.pointee.gram.frequency.unsafeElements, count: partials + 1, oddLength: samples % 2 == 1)
        let energy = moments.measure(bank.latest(samples, of: level), into: rows.start, withSecond: false)
        trial.pointee.setMoments(rows.start)
        trial.pointee.gram.build(length: samples)
        return trial.pointee.solve(
            energy: energy, prior: prior, decays: partials >= 3 && samples > 4 * partials ? 1 : 0, least: least)
    }
}
