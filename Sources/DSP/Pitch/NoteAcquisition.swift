internal import CRealtime
internal import Realtime
internal import Spectral

// Finding a note: candidates, octave, and the first fit, on the whole window since the attack.
extension HarmonicDetector {
    /// Looks for a note in the window, and locks on to it when it is certain.
    @_noLocks mutating func acquire() {
        let length = min(bank.count(0) - onset, sizes.middle)
        let isFull = length == sizes.middle
        note.isVoiced = false
        candidates.find(
            bank.latest(length, of: 0), shortest: sizes.rate / PitchRange.highest(),
            longest: sizes.rate / PitchRange.lowest())
        note.clarity = candidates.highest
        guard candidates.highest >= 0.3, let first = candidates.first else {
            forget()
            return
        }
        let start = bank.count(0) - length
        let guess = chooseOctave(first: first, from: start)
        var fitted = fitNote(guess, from: start)
        // The note may be no candidate at all where what sounds beside it is strong.
        if 2 * length >= 3 * sizes.short, let found = fitted, let multiple = strongestSeries(of: found) {
            fitted = fitNote(Double(multiple) * found.frequency, from: start)
        }
        guard let found = fitted, !isFractionOfOneLine(fits.short, level: found.level) else {
            forget()
            return
        }
        note.count(
            found.frequency, standardError: 1_731.234 * rt_sqrt(note.chance) / found.fundamental, most: 2 * steadyHops)
        note.strength = found.explained
        let isClear = candidates.highest >= 0.9 && (found.explained > 0.93 || (isFull && note.steadiness >= 4))
        note.isVoiced = isClear || isSteady(level: found.level)
        note.frequency = note.isVoiced || isFull ? found.frequency : 0
        if note.isVoiced && 2 * length >= 3 * sizes.short { lock(found, from: start) }
    }

    /// Nine tenths of the middle window: noise does not stay in one place for so long.
    var steadyHops: Int { @_noLocks get { 9 * sizes.middle / (10 * sizes.hop) } }

    /// Whether the pitch has stayed for long enough, and carries enough of the power, to be believed without clarity.
    ///
    /// A tone as strong as white noise is F / (F + 1) of the power of a copy of factor F, which keeps 1/F of the noise.
    /// 3 dB less is allowed. A machine's hum within its own rumble is less than that.
    @_noLocks func isSteady(level: Int) -> Bool {
        let factor = Double(1 << level)
        return note.steadiness >= steadyHops && note.strength > factor / (factor + 2)
    }

    /// Whether a fit of a copy is that of a line above the range of pitch, or of nothing but one line.
    @_noLocks func isFractionOfOneLine(_ fit: UnsafeMutablePointer<HarmonicFit>, level: Int) -> Bool {
        fit.pointee.isFractionOfOneLine(highest: 2 * .pi * PitchRange.highest() * Double(1 << level) / sizes.rate)
    }

    @_noLocks private mutating func forget() {
        note.frequency = 0
        note.steadiness = 0
        note.anchor = 0
    }

    /// The narrowest copy with room for enough partials of a note.
    @_noLocks func level(for frequency: Double) -> Int {
        var level = NoteSizes.levelCount - 1
        while level > 0 && 0.48 * sizes.rate / (Double(1 << level) * frequency) < NoteSizes.enoughPartials {
            level -= 1
        }
        return level
    }

    /// How many partials of a note a copy has room for.
    @_noLocks func partials(of frequency: Double, level: Int) -> Int {
        let band = level == 0 && sizes.base == 1 ? 0.45 : 0.48
        return max(1, min(NoteSizes.mostPartials, Int(band * sizes.rate / (Double(1 << level) * frequency))))
    }

    /// Samples of a copy that lie at or after `start`, an index of the widest copy.
    @_noLocks func count(of level: Int, since start: Int) -> Int {
        let factor = 1 << level
        // What the low-pass smears from before an attack is left out.
        let settled = start == onset && level > 0 ? start + 9 * factor / 2 : start
        return max(0, bank.count(level) - (settled + factor - 1) / factor)
    }

    /// One Gauss-Newton step of `w` at a fixed B, on the newest `samples` of a copy.
    @_noLocks mutating func improve(
        _ w: inout Double, inharmonicity: Double, partials: Int, level: Int, samples: Int,
        prior: InharmonicityPrior? = nil
    ) -> HarmonicEstimate {
        let estimate = estimate(w, inharmonicity, partials: partials, level: level, samples: samples, prior: prior)
        // A step of more than 2 % has left the peak it started on.
        if estimate.constrainedVariance > 0 { w = min(1.02 * w, max(0.98 * w, estimate.constrained)) }
        return estimate
    }

    @_noLocks mutating func estimate(
        _ w: Double, _ inharmonicity: Double, partials: Int, level: Int, samples: Int, prior: InharmonicityPrior?,
        least: Double = 2.5
    ) -> HarmonicEstimate {
        let trial = fits.short
        trial.pointee.gram.tune(fundamental: w, inharmonicity: inharmonicity, partials: partials)
        moments.prepare(trial.pointee.gram.frequency.unsafeElements, count: partials + 1, oddLength: samples % 2 == 1)
        let energy = moments.measure(bank.latest(samples, of: level), into: rows.base, withSecond: false)
        trial.pointee.setMoments(rows.base)
        trial.pointee.gram.build(length: samples)
        return trial.pointee.solve(
            energy: energy, prior: prior, decays: partials >= 3 && samples > 4 * partials ? 1 : 0, least: least)
    }

    /// The note that a fit found.
    struct Found: BitwiseCopyable {
        var frequency = 0.0
        var explained = 0.0
        var level = 0
        var partials = 0
        var fundamental = 0.0
        var stiffness = 0.0
        /// The power of what the fit left.
        var noise = 0.0
        /// What the fit said, where B was found.
        var estimate = HarmonicEstimate()
        @_noLocks init() {}
    }

    /// Fits w, and B where it is called for, from a guess in hertz; leaves the reading in `note`.
    @_noLocks private mutating func fitNote(_ guess: Double, from start: Int) -> Found? {
        var level = level(for: guess)
        while level > 0 && count(of: level, since: start) < 40 { level -= 1 }
        let samples = count(of: level, since: start)
        // 40 are enough to begin with.
        let most = min(40, min(partials(of: guess, level: level), (samples - 6) / 3))
        guard most >= 1 else { return nil }
        let scale = sizes.rate / (2 * .pi * Double(1 << level))
        var w = guess / scale
        if note.frequency > 0, abs(guess / note.frequency - 1) < 0.005 {
            // The hop before knows better than a guess.
            w = note.frequency / (rt_sqrt(1 + note.inharmonicity) * scale)
        } else {
            // Few partials first: a wrong guess turns the phase of the highest one most.
            if most > 5 { _ = improve(&w, inharmonicity: 0, partials: 5, level: level, samples: samples) }
            if most > 12 { _ = improve(&w, inharmonicity: 0, partials: 12, level: level, samples: samples) }
        }
        var rigid = w
        // That it might be stiff changes nothing in a fit without B but how far it is believed.
        let broad: InharmonicityPrior? = most >= 3 ? .broad() : nil
        var estimate = improve(&rigid, inharmonicity: 0, partials: most, level: level, samples: samples, prior: broad)
        if estimate.constrainedVariance <= 0 {
            estimate = improve(&rigid, inharmonicity: 0, partials: most, level: level, samples: samples)
        }
        // A step that turned the highest partial by more than a tenth of a radian is worth another.
        if abs(rigid - w) * Double(most * samples) > 0.2 {
            estimate = improve(&rigid, inharmonicity: 0, partials: most, level: level, samples: samples, prior: broad)
        }
        var found = Found()
        (found.level, found.partials, found.fundamental) = (level, most, rigid)
        var variance = estimate.constrainedVariance
        // Two periods of a low note tell nothing about B.
        if most >= 3, 2 * (bank.count(0) - start) >= 3 * sizes.short {
            var (stiff, b) = (rigid, 0.0)
            var last = HarmonicEstimate()
            let highest = InharmonicityPrior.highest(at: guess)
            var search = StiffnessSearch(
                samples: samples, most: most, enough: most, highest: highest, heard: fits.short.pointee.heardPartials())
            while let partials = search.next(fundamental: &stiff, inharmonicity: &b) {
                last = self.estimate(
                    stiff, b, partials: partials, level: level, samples: samples, prior: .broad(), least: 6)
                guard last.fundamentalVariance > 0 else { break }
                search.take(last, fundamental: &stiff, inharmonicity: &b)
            }
            // Description length: one more unknown is worth 4 ln N.
            let gain = Double(samples) * rt_log(last.residual / max(estimate.residual, 1e-30))
            if search.isComplete, gain + 4 * rt_log(Double(samples)) < 0, b > 0, b < 0.95 * highest {
                (found.fundamental, found.stiffness) = (stiff, b)
                (estimate, found.estimate) = (last, last)
                variance = last.fundamentalVariance + stiff * last.covariance
                variance += stiff * stiff / 4 * last.inharmonicityVariance
            } else {
                // The search has left a fit of its own, often of three partials: it tells nothing of the note's.
                estimate = improve(
                    &rigid, inharmonicity: 0, partials: most, level: level, samples: samples, prior: broad)
                (found.fundamental, variance) = (rigid, estimate.constrainedVariance)
            }
        }
        found.noise = estimate.residual / Double(samples)
        // Each amplitude explains a sample even of noise.
        found.explained =
            1 - (1 - estimate.explained) * Double(samples) / Double(max(samples / 8, samples - 2 * most - 3))
        found.frequency = found.fundamental * rt_sqrt(1 + found.stiffness) * scale
        guard found.frequency >= 0.98 * PitchRange.lowest(), found.frequency <= PitchRange.highest() else { return nil }
        note.inharmonicity = found.stiffness
        note.chance = max(0, variance * bank.noiseDensity(level))
        note.looseness =
            found.stiffness > 0
            ? 0 : looseness(estimate, fundamental: rigid, highest: InharmonicityPrior.highest(at: guess))
        note.standardError = 1_731.234 * rt_sqrt(note.chance + note.looseness) / found.fundamental
        note.periodicity = found.stiffness > 0 ? fits.short.pointee.repetition() * scale : found.frequency
        note.window = (samples << level) * sizes.base
        return found
    }
}
