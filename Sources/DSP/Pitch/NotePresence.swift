internal import CRealtime
internal import Realtime
internal import Spectral

// Whether the note that is followed still sounds.
extension HarmonicDetector {
    /// Asks the normalised difference, now and then, whether the note still sounds.
    @_noLocks mutating func isStillThere() -> Bool {
        // Every fourth hop (21 ms), and at once when there is doubt.
        if note.age % 4 != 2 && note.doubts == 0 { return true }
        let length = min(bank.count(0) - onset, sizes.middle)
        let frequency = note.fundamental * sizes.rate / (2 * .pi * Double(1 << note.level))
        // 40 samples a period are enough to see whether it is still the same; a low note needs no fast copy for that.
        var level = 2
        while level > 0 && frequency * Double(40 << level) > sizes.rate { level -= 1 }
        // A clear high note shows in a part of the window already.
        // 100 cents of vibrato leave three periods alike, but not twelve.
        let periods = note.moving > 0 ? 3.0 : 12
        let brief = max(sizes.short, Int(periods * sizes.rate / frequency))
        if brief < length, isRepeating(at: frequency, samples: brief, level: level), note.clarity > 0.9 {
            note.doubts = 0
            return true
        }
        if isRepeating(at: frequency, samples: length, level: level) {
            note.doubts = 0
            return true
        }
        guard candidates.highest >= 0.3, let first = candidates.first else { return false }
        // A multiple of the period may score higher by chance: the fits decide, as they did at first.
        let chosen = chooseOctave(first: first, from: bank.count(0) - length)
        if abs(chosen / frequency - 1) < 0.03 {
            note.doubts = 0
            return true
        }
        note.doubts += 1
        return note.doubts < 2
    }

    /// Whether the first period of the newest `length` samples is that of a frequency; leaves the clarity.
    @_noLocks private mutating func isRepeating(at frequency: Double, samples length: Int, level: Int) -> Bool {
        candidates.find(
            bank.latest(min(length >> level, bank.count(level)), of: level), every: 1 << level,
            shortest: sizes.rate / PitchRange.highest(), longest: sizes.rate / PitchRange.lowest())
        note.clarity = candidates.highest
        guard candidates.highest >= 0.3, let first = candidates.first else { return false }
        return abs(candidates.lag(first) * frequency / sizes.rate - 1) < 0.03
    }
}
