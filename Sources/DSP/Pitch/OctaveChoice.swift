internal import CRealtime
internal import Realtime
internal import Spectral

// Which of several periods is that of the note: the octave.
extension NoteAnalyzer {
    /// Chooses between candidates by the description length of their harmonic fits; returns a frequency in hertz.
    ///
    ///     N ln(residual / energy) + 2 K ln N,   3 K ln N in the first periods
    ///
    /// A candidate close to the running note gets 6 ln N off: notes last longer than windows.
    @_noLocks mutating func chooseOctave(first: Int, in stretch: Stretch, running: RunningNote) -> Double {
        let threshold = candidates.threshold
        var chosen = InlineArray<7, Double>(repeating: 0)
        var count = 0
        for index in 0..<candidates.count where candidates.height(index) >= threshold && count < 2 {
            chosen[count] = sizes.rate / candidates.refined(candidates.lag(index))
            count += 1
        }
        // A lower maximum at a shorter lag may be the period of a tone whose later maxima are higher by chance, or of a
        // note that sounds with a resonance. The shortest one that divides the first is tried, and the last before it.
        for index in 0..<first where count < 4 || index + 3 >= first {
            let ratio = candidates.lag(first) / candidates.lag(index)
            guard index + 3 >= first || abs(ratio / rt_round(ratio) - 1) < 0.02 else { continue }
            chosen[count] = sizes.rate / candidates.refined(candidates.lag(index))
            count += 1
        }
        // The note that sounds already is always one, however much sounds beside it.
        if running.isFollowed, running.frequency > 0, count < 7 {
            var isThere = false
            for index in 0..<count where isSameNote(chosen[index], running.frequency) { isThere = true }
            if !isThere {
                chosen[count] = running.frequency
                count += 1
            }
        }
        if count == 1 { return chosen[0] }
        var lowest = chosen[0]
        for index in 1..<count { lowest = min(lowest, chosen[index]) }
        let level = level(for: max(lowest, PitchRange.lowest()) * 1.5)
        let samples = self.count(of: level, since: stretch.start, isOnset: stretch.isOnset)
        guard samples >= 24 else { return chosen[0] }
        // The same band for all: a candidate an octave lower pays for twice the partials.
        let band = lowest * Double(min(min(40, (samples - 4) / 3), partials(of: lowest, level: level)))
        var (best, bestScore, guess) = (chosen[0], Double.infinity, chosen[0])
        for index in 0..<count {
            let frequency = chosen[index]
            var w = 2 * Double.pi * frequency * Double(1 << level) / sizes.rate
            let most = max(1, Int(band / frequency + 0.01))
            _ = improve(&w, partials: min(3, most), level: level, samples: samples)
            _ = improve(&w, partials: min(8, most), level: level, samples: samples)
            let estimate = improve(&w, partials: most, level: level, samples: samples)
            let share = max(estimate.residual, 0.0005 * estimate.energy) / max(estimate.energy, 1e-30)
            let bits = rt_log(Double(samples))
            // In the first periods a lower candidate's extra partials explain the noise of the attack.
            let price = isEarly(frequency, samples: samples, level: level) ? constants.earlyPrice : 2
            var score = Double(samples) * rt_log(share) + price * Double(most) * bits
            if running.frequency > 0, isHere(frequency, running) { score -= 6 * bits }
            if score < bestScore {
                bestScore = score
                guess = frequency
                best = w * sizes.rate / (2 * .pi * Double(1 << level))
            }
        }
        if running.isOld(best, constants) { return best }
        for index in 0..<count where chosen[index] > 1.9 * guess {
            let multiple = Int(rt_round(chosen[index] / guess))
            guard isSameNote(chosen[index], Double(multiple) * guess) else { continue }
            let estimate = estimate(
                best * (2 * .pi * Double(1 << level)) / sizes.rate, 0, partials: max(1, Int(band / guess + 0.01)),
                level: level, samples: samples, prior: nil)
            let isRunning = running.age > constants.establishment && isSameNote(chosen[index], running.frequency)
            let noise = estimate.residual / Double(samples)
            let isEarly = isEarly(guess, samples: samples, level: level)
            if estimate.tone.isResonance(besides: multiple, isRunning: isRunning, isEarly: isEarly, noise: noise) {
                return chosen[index]
            }
        }
        return best
    }

    /// Whether a candidate is the running note: within 30 cents, what a vibrato comes to in a step.
    @_noLocks private func isHere(_ frequency: Double, _ running: RunningNote) -> Bool {
        abs(frequency / running.frequency - 1) < 0.0175
    }

    /// Whether a stretch of a copy holds so few periods that the noise of the attack counts.
    @_noLocks private func isEarly(_ frequency: Double, samples: Int, level: Int) -> Bool {
        Double(samples << level) * frequency < constants.earlyPeriods * sizes.rate
    }

    /// The number of the partial that a note really is, if what lies besides its multiples is a resonance or a note that
    /// rings at `ringing` hertz.
    @_noLocks func ownSeries(of found: FoundNote, ringing: Double) -> Int? {
        if let new = found.tone.seriesBeside(ringing / found.frequency),
            Double(new) * found.frequency < PitchRange.highest()
        {
            return new
        }
        let strongest = found.tone.strongest
        // A resonance of an eighth of the power leaves the note's own period three quarters of its height. What repeats
        // less has more beside it than a resonance.
        let period = sizes.rate / (Double(strongest) * found.frequency)
        guard found.stiffness == 0, candidates.height(at: period) > constants.leastPart, strongest > 1,
            Double(strongest) * found.frequency < PitchRange.highest(),
            found.tone.isResonance(besides: strongest, isRunning: false, isEarly: false, noise: found.noise)
        else { return nil }
        return strongest
    }
}
