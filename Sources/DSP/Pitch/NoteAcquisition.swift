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
        guard let found = fitNote(guess, from: start) else {
            forget()
            return
        }
        note.count(found.frequency, standardError: note.standardError, most: 2 * steadyHops)
        note.strength = found.explained
        let isClear = candidates.highest >= 0.9 && (found.explained > 0.93 || (isFull && note.steadiness >= 4))
        note.isVoiced = isClear || isSteady(level: found.level)
        note.frequency = note.isVoiced || isFull ? found.frequency : 0
        if note.isVoiced && length >= 2 * sizes.short { lock(found, from: start) }
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

    /// Chooses between candidates by the description length of their harmonic fits; returns a frequency in hertz.
    ///
    ///     N ln(residual / energy) + 2 K ln N
    ///
    /// A candidate close to the running note gets 6 ln N off: notes last longer than windows.
    @_noLocks mutating func chooseOctave(first: Int, from start: Int) -> Double {
        let threshold = candidates.threshold
        var chosen = InlineArray<7, Double>(repeating: 0)
        var count = 0
        for index in 0..<candidates.count where candidates.height(index) >= threshold && count < 2 {
            chosen[count] = sizes.rate / candidates.refined(candidates.lag(index))
            count += 1
        }
        // Lower maxima at shorter lags may be the period of a tone whose later ones are higher by chance, or of a note
        // that a resonance sounds with: the shortest that the first one is a multiple of, and the last before it.
        for index in 0..<first where count < 4 || index + 3 >= first {
            let ratio = candidates.lag(first) / candidates.lag(index)
            guard index + 3 >= first || abs(ratio / rt_round(ratio) - 1) < 0.02 else { continue }
            chosen[count] = sizes.rate / candidates.refined(candidates.lag(index))
            count += 1
        }
        if count == 1 { return chosen[0] }
        var lowest = chosen[0]
        for index in 1..<count { lowest = min(lowest, chosen[index]) }
        let level = level(for: max(lowest, PitchRange.lowest()) * 1.5)
        let samples = self.count(of: level, since: start)
        guard samples >= 24 else { return chosen[0] }
        // The same band for all: a candidate an octave lower pays for twice the partials.
        let band = lowest * Double(min(min(40, (samples - 4) / 3), partials(of: lowest, level: level)))
        var (best, bestScore, guess) = (chosen[0], Double.infinity, chosen[0])
        for index in 0..<count {
            let frequency = chosen[index]
            var w = 2 * Double.pi * frequency * Double(1 << level) / sizes.rate
            let most = max(1, Int(band / frequency + 0.01))
            _ = improve(&w, inharmonicity: 0, partials: min(3, most), level: level, samples: samples)
            _ = improve(&w, inharmonicity: 0, partials: min(8, most), level: level, samples: samples)
            let estimate = improve(&w, inharmonicity: 0, partials: most, level: level, samples: samples)
            let share = max(estimate.residual, 0.0005 * estimate.energy) / max(estimate.energy, 1e-30)
            let bits = rt_log(Double(samples))
            var score = Double(samples) * rt_log(share) + 2 * Double(most) * bits
            if note.frequency > 0, abs(frequency / note.frequency - 1) < 0.0175 { score -= 6 * bits }
            if score < bestScore {
                bestScore = score
                guess = frequency
                best = w * sizes.rate / (2 * .pi * Double(1 << level))
            }
        }
        for index in 0..<count where chosen[index] > 1.9 * guess {
            let multiple = Int(rt_round(chosen[index] / guess))
            guard abs(chosen[index] / (Double(multiple) * guess) - 1) < 0.03 else { continue }
            let estimate = estimate(
                best * (2 * .pi * Double(1 << level)) / sizes.rate, 0, partials: max(1, Int(band / guess + 0.01)),
                level: level, samples: samples, prior: nil)
            // A tenth of a second: by then what began as the wrong octave has been put right.
            let isRunning =
                note.age * sizes.hop > Int(0.1 * sizes.rate) && abs(chosen[index] / note.frequency - 1) < 0.03
            let noise = estimate.residual / Double(samples)
            if isResonance(besides: multiple, isRunning: isRunning, noise: noise) { return chosen[index] }
        }
        return best
    }

    /// Whether what a lower candidate explains besides every `multiple`-th partial is no more than a resonance.
    ///
    /// A body mode or a string that sounds in sympathy puts one or two spectral lines under a note, and a low enough
    /// fundamental has a partial near any line. The tone of a true lower note has many partials in between: their
    /// effective number is (Σ P)² / Σ P² over their powers P. Two things give a resonance away: it carries little
    /// power beside a note that is running already; and it lies beside the place where the partial would be.
    @_noLocks private mutating func isResonance(besides multiple: Int, isRunning: Bool, noise: Double) -> Bool {
        let fit = fits.short
        var (all, between, squares, highest, strongest) = (0.0, 0.0, 0.0, 0.0, 0)
        for k in 1...fit.pointee.gram.partialCount {
            let (a, b) = (fit.pointee.cosine.base[k], fit.pointee.sine.base[k])
            let power = a * a + b * b
            all += power
            if k % multiple != 0 {
                between += power
                squares += power * power
                if power > highest { (highest, strongest) = (power, k) }
            }
        }
        guard strongest > 0 else { return true }
        let number = between * between / squares
        if isRunning && between < 0.3 * all && number < 3 { return true }
        guard between < 0.5 * all, number < 2.2 else { return false }
        let (shift, variance) = fit.pointee.detuning(of: strongest)
        let frequency = fit.pointee.gram.frequency.base[strongest]
        let apart = 1_731.234 * abs(shift) / frequency
        return apart > max(12, 5 * 1_731.234 * rt_sqrt(variance * noise) / frequency)
    }

    /// One Gauss-Newton step of `w` at a fixed B, on the newest `samples` of a copy.
    @_noLocks private mutating func improve(
        _ w: inout Double, inharmonicity: Double, partials: Int, level: Int, samples: Int
    ) -> HarmonicEstimate {
        let estimate = estimate(w, inharmonicity, partials: partials, level: level, samples: samples, prior: nil)
        // A step of more than 2 % has left the peak it started on.
        if estimate.constrainedVariance > 0 { w = min(1.02 * w, max(0.98 * w, estimate.constrained)) }
        return estimate
    }

    @_noLocks private mutating func estimate(
        _ w: Double, _ inharmonicity: Double, partials: Int, level: Int, samples: Int, prior: InharmonicityPrior?
    ) -> HarmonicEstimate {
        let trial = fits.short
        trial.pointee.gram.tune(fundamental: w, inharmonicity: inharmonicity, partials: partials)
        moments.prepare(trial.pointee.gram.frequency.unsafeElements, count: partials + 1, oddLength: samples % 2 == 1)
        let energy = moments.measure(bank.latest(samples, of: level), into: rows.base, withSecond: false)
        trial.pointee.setMoments(rows.base)
        trial.pointee.gram.build(length: samples)
        return trial.pointee.solve(
            energy: energy, prior: prior, decays: partials >= 3 && samples > 4 * partials ? 1 : 0)
    }

    /// The note that a fit found.
    struct Found: BitwiseCopyable {
        var frequency = 0.0
        var explained = 0.0
        var level = 0
        var partials = 0
        var fundamental = 0.0
        var stiffness = 0.0
        @_noLocks init() {}
    }

    /// Fits w, and B where it is called for, from a guess in hertz; leaves the reading in `note`.
    @_noLocks private mutating func fitNote(_ guess: Double, from start: Int) -> Found? {
        var level = level(for: guess)
        while level > 0 && count(of: level, since: start) < 40 { level -= 1 }
        let samples = count(of: level, since: start)
        let most = min(partials(of: guess, level: level), (samples - 6) / 3)
        guard most >= 1 else { return nil }
        let scale = sizes.rate / (2 * .pi * Double(1 << level))
        var w = guess / scale
        // Few partials first: a wrong guess turns the phase of the highest one most.
        if most > 5 { _ = improve(&w, inharmonicity: 0, partials: 5, level: level, samples: samples) }
        if most > 12 { _ = improve(&w, inharmonicity: 0, partials: 12, level: level, samples: samples) }
        var rigid = w
        _ = improve(&rigid, inharmonicity: 0, partials: most, level: level, samples: samples)
        var estimate = improve(&rigid, inharmonicity: 0, partials: most, level: level, samples: samples)
        var found = Found()
        (found.level, found.partials, found.fundamental) = (level, most, rigid)
        var variance = estimate.constrainedVariance
        // Two periods of a low note tell nothing about B.
        if most >= 5, guess < 1_000, bank.count(0) - start >= sizes.short {
            var (stiff, b) = (w, note.inharmonicity > 0 ? note.inharmonicity : 1e-5)
            var last = estimate
            for round in 0..<4 {
                let partials = min(most, round == 0 ? 8 : round == 1 ? 14 : most)
                last = self.estimate(
                    stiff, b, partials: partials, level: level, samples: samples,
                    prior: InharmonicityPrior(value: 1e-4, variance: 1e-6))
                guard last.fundamentalVariance > 0 else { break }
                stiff = min(1.02 * stiff, max(0.98 * stiff, last.fundamental))
                b = min(2e-3, max(0, b + min(3e-4, max(-3e-4, last.inharmonicity - b))))
            }
            // Description length: one more unknown is worth 4 ln N.
            let gain = Double(samples) * rt_log(last.residual / max(estimate.residual, 1e-30))
            if gain + 4 * rt_log(Double(samples)) < 0, b > 0, b < 1.9e-3 {
                (found.fundamental, found.stiffness) = (stiff, b)
                estimate = last
                variance = last.fundamentalVariance + stiff * last.covariance
                variance += stiff * stiff / 4 * last.inharmonicityVariance
            }
        }
        // Each amplitude explains a sample even of noise.
        found.explained =
            1 - (1 - estimate.explained) * Double(samples) / Double(max(samples / 8, samples - 2 * most - 3))
        found.frequency = found.fundamental * rt_sqrt(1 + found.stiffness) * scale
        guard found.frequency >= 0.98 * PitchRange.lowest(), found.frequency <= PitchRange.highest() else { return nil }
        note.inharmonicity = found.stiffness
        note.standardError = 1_731.234 * rt_sqrt(max(0, variance * bank.noiseDensity(level))) / found.fundamental
        note.periodicity = found.stiffness > 0 ? fits.short.pointee.repetition() * scale : found.frequency
        note.window = samples << level
        return found
    }
}
