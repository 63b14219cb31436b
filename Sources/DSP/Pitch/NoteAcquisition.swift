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
        guard let found = fitted, !isFractionOfOneLine(fits.short, level: found.level),
            !isBackground(found, power: power)
        else {
            forget()
            return
        }
        note.count(
            found.frequency, standardError: 1_731.234 * rt_sqrt(note.chance) / found.fundamental, most: 2 * steadyHops)
        note.strength = found.explained
        note.agree(on: found.frequency, at: bank.count(0))
        let clarity = candidates.highest
        let evidence = evidence(found, clarity: clarity, length: length)
        let isClear = evidence.isEnough || (clarity >= 0.9 && isFull && note.steadiness >= 4)
        note.isVoiced = isClear || isSteady(level: found.level)
        var (best, from) = (found, start)
        if !note.isVoiced, let later = acquireNewest(found, of: length) {
            (best, from) = later
            note.isVoiced = true
        }
        note.frequency = note.isVoiced || isFull ? best.frequency : 0
        if note.isVoiced && 2 * length >= 3 * sizes.short { lock(best, from: from) }
    }

    /// What speaks for a note in a window of `length` samples.
    @_noLocks private func evidence(_ found: Found, clarity: Double, length: Int) -> NoteEvidence {
        let needed = note.isOverAnother ? NoteEvidence.whileRinging : NoteEvidence.afterSilence
        var evidence = NoteEvidence(
            clarity: clarity, explained: found.explainedByDecay, periods: Double(length) * found.frequency / sizes.rate,
            agreed: Double(bank.count(0) - note.agreedSince) / sizes.rate, needed: needed)
        if found.frequency < 60 { evidence.leastExplained = 0.93 }
        return evidence
    }

    /// Asks the newest part of the window alone: the hammer or the breath may be behind it.
    @_noLocks private mutating func acquireNewest(_ found: Found, of length: Int) -> (Found, Int)? {
        // Four periods: half of them may still be hammer.
        let newest = max(sizes.short, Int(4 * sizes.rate / found.frequency))
        guard newest < length - sizes.hop / 2 else { return nil }
        let before = note
        candidates.find(
            bank.latest(newest, of: 0), shortest: sizes.rate / PitchRange.highest(),
            longest: sizes.rate / PitchRange.lowest())
        let clarity = candidates.highest
        let start = bank.count(0) - newest
        if let first = candidates.first, let again = fitNote(found.frequency, from: start),
            abs(sizes.rate / candidates.lag(first) / again.frequency - 1) < 0.03,
            evidence(again, clarity: clarity, length: newest).isEnough
        {
            note.clarity = clarity
            return (again, start)
        }
        note = before
        return nil
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
        note.agreedPitch = 0
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
}
