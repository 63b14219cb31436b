internal import CRealtime
internal import Realtime
internal import Spectral

// Which of several periods is the note's: the octave.
extension HarmonicDetector {
    /// Chooses between candidates by the description length of their harmonic fits; returns a frequency in hertz.
    ///
    ///     N ln(residual / energy) + 2 K ln N,   3 K ln N below eight periods
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
        // The note that sounds already is always one, however much sounds beside it.
        if note.isLocked, note.frequency > 0, count < 7 {
            var isThere = false
            for index in 0..<count where abs(chosen[index] / note.frequency - 1) < 0.03 { isThere = true }
            if !isThere {
                chosen[count] = note.frequency
                count += 1
            }
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
            // In the first periods a lower candidate's extra partials explain the noise of the attack.
            let price = Double(samples << level) * frequency < 8 * sizes.rate ? 3.0 : 2
            var score = Double(samples) * rt_log(share) + price * Double(most) * bits
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

    /// The number of the strongest partial of the fit just made, if what lies besides its multiples is a resonance.
    @_noLocks mutating func strongestSeries(of found: Found) -> Int? {
        let strongest = fits.short.pointee.strongestPartial()
        guard found.stiffness == 0, strongest > 1, Double(strongest) * found.frequency < PitchRange.highest(),
            isResonance(besides: strongest, isRunning: false, noise: found.noise)
        else { return nil }
        return strongest
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
        guard between < 0.5 * all else { return false }
        if standsAlone(fit, every: multiple, between: between / all, noise: noise) { return true }
        guard number < 2.2 else { return false }
        let (shift, variance) = fit.pointee.detuning(of: strongest)
        let frequency = fit.pointee.gram.frequency.base[strongest]
        let apart = 1_731.234 * abs(shift) / frequency
        return apart > max(12, 5 * 1_731.234 * rt_sqrt(variance * noise) / frequency)
    }

    /// Whether the long fit of the running note, just made, is that of a higher note over ringing strings.
    @_noLocks mutating func isUnderAnother(noise: Double) -> Bool {
        let fit = fits.long
        let strongest = fit.pointee.strongestPartial()
        guard note.stiffness == 0, strongest > 1 else { return false }
        var (all, between) = (0.0, 0.0)
        for k in 1...fit.pointee.gram.partialCount {
            all += fit.pointee.power(of: k)
            if k % strongest != 0 { between += fit.pointee.power(of: k) }
        }
        return between < 0.5 * all && standsAlone(fit, every: strongest, between: between / all, noise: noise)
    }

    /// Whether above its first partial the series of every `multiple`-th partial stands alone: at least two of the
    /// series are heard, and three quarters of their neighbours are a tenth as strong or weaker.
    ///
    /// Several strings that sound in sympathy with a note share a low fundamental with it, of which they are partials
    /// two, three, five …; but their own upper partials are few. The partials of a true lower note go on past the note.
    /// Every third and rarer is not strong by nature. Every second one may be: there all neighbours of three must be
    /// weak, and so must be the lower fundamental.
    ///
    /// - Parameter between: the share of all power that is not in the series.
    @_noLocks private func standsAlone(
        _ fit: UnsafeMutablePointer<HarmonicFit>, every multiple: Int, between: Double, noise: Double
    ) -> Bool {
        guard multiple > 2 || between < 0.1 else { return false }
        // What an empty partial has on average.
        let chance = 4 * noise / Double(fit.pointee.gram.length)
        let (last, reach) = (fit.pointee.gram.partialCount, multiple / 2)
        var (heard, neighbours, strong) = (0, 0, 0)
        var centre = 2 * multiple
        while centre <= last {
            let power = fit.pointee.power(of: centre)
            if power > 20 * chance {
                heard += 1
                for k in (centre - reach)...min(centre + reach, last) where k != centre {
                    neighbours += 1
                    if fit.pointee.power(of: k) > 0.1 * power { strong += 1 }
                }
            }
            centre += multiple
        }
        return multiple > 2 ? heard >= 2 && 4 * strong <= neighbours : heard >= 3 && strong == 0
    }
}
