internal import CRealtime
internal import Spectral

/// A note that was found in a stretch of sound, and what speaks for it.
struct Sighting: BitwiseCopyable {
    var note: FoundNote
    var stretch: Stretch
    var evidence: NoteEvidence

    @_noLocks init(note: FoundNote, stretch: Stretch, evidence: NoteEvidence) {
        (self.note, self.stretch, self.evidence) = (note, stretch, evidence)
    }
}

extension NoteAnalyzer {
    /// Looks for a note in the newest part of a window alone, with candidates and an octave of its own.
    ///
    /// - Parameters:
    ///   - shortest: samples of the part.
    ///   - length: samples of the window.
    ///   - mayGrow: whether a part that is too short for the note may become longer.
    ///   - clarity: what some period must exceed.
    @_noLocks mutating func findNewest(
        _ shortest: Int, of length: Int, mayGrow: Bool, clarity: Double, running: RunningNote, _ belief: NoteBelief
    ) -> Sighting? {
        var newest = shortest
        for _ in 0..<2 {
            guard newest < length - sizes.step / 2, findPeriods(in: newest) > clarity, let first = candidates.first
            else { return nil }
            let stretch = Stretch(start: end - newest, isOnset: false)
            let guess = chooseOctave(first: first, in: stretch, running: running)
            guard guess >= 0.5 * PitchRange.lowest() else { return nil }
            if Double(newest) * guess < constants.leastPeriods * sizes.rate {
                guard mayGrow, newest == shortest else { return nil }
                newest = Int(constants.newestPeriods * sizes.rate / guess)
                continue
            }
            var fitted = fitNote(guess, in: stretch, running: running)
            if let found = fitted, let multiple = ownSeries(of: found, ringing: belief.ringing) {
                fitted = fitNote(Double(multiple) * found.frequency, in: stretch, running: running)
            }
            guard let found = fitted, !isCommonMeasure(found.tone, level: found.level) else { return nil }
            let evidence = NoteEvidence(
                found, clarity: candidates.height(at: sizes.rate / found.frequency), length: newest, agreed: 0, belief,
                self)
            return Sighting(note: found, stretch: stretch, evidence: evidence)
        }
        return nil
    }
}
