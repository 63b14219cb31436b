internal import CRealtime
internal import Realtime
internal import Spectral

// The fit of a note on a stretch of sound: w, and B where it is called for.
extension HarmonicDetector {
    /// The note that a fit found.
    struct Found: BitwiseCopyable {
        var frequency = 0.0
        var explained = 0.0
        /// The same once the amplitudes may grow or decay.
        var explainedByDecay = 0.0
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
    @_noLocks mutating func fitNote(_ guess: Double, from start: Int) -> Found? {
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
        found.explainedByDecay =
            1 - (1 - estimate.explainedByDecay) * Double(samples) / Double(max(samples / 8, samples - 2 * most - 5))
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
}
