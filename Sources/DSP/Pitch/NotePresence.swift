internal import CRealtime
internal import Spectral

/// Whether a note that is followed still sounds.
enum NotePresence: BitwiseCopyable {
    case present, doubtful, gone
}

extension FollowedNote {
    /// Asks the normalised difference, now and then, whether the note still sounds; at once while it is releasing, and
    /// where the fit explains much less than before or an attack has come since.
    ///
    /// - Parameters:
    ///   - length: samples of the window since the attack.
    ///   - isMoving: whether the pitch moves: a fast vibrato leaves three periods alike, but not twelve, and a short window
    ///     explains less of it now and then.
    ///   - power: of the newest step: 5 dB above the mean of 0.15 s, it may be another note's.
    ///   - attack: the sample of the widest copy where a sound rose last.
    @_noLocks mutating func presence(
        _ analyzer: inout NoteAnalyzer, in length: Int, isMoving: Bool, power: Double, attack: Int, isReleasing: Bool
    ) -> NotePresence {
        let sizes = analyzer.sizes
        let interval = sizes.samples(analyzer.constants.presenceInterval)
        // An attack after the lock may be another note's, and so may be what the fit no longer explains.
        let sinceAttack = analyzer.end - attack
        let share = usualPower == 0 ? 1 : sizes.stepTime / analyzer.constants.innovationMemory
        usualPower += share * (power - usualPower)
        isChallenged =
            (!isMoving && explained < 0.5 * usuallyExplained) || power > 3 * usualPower
            || sinceAttack < interval * 4 && sinceAttack + sizes.short < clock.samples
        let isDue = clock.reaches(interval / 2, every: isChallenged ? interval / 2 : interval)
        guard isDue || isReleasing else { return .present }
        let frequency = frequency(analyzer)
        // 40 samples a period are enough to see whether it is still the same; a low note needs no fast copy for that.
        var level = 2
        while level > 0 && frequency * Double(40 << level) > sizes.rate { level -= 1 }
        // A clear high note shows in a part of the window already.
        let brief = max(sizes.short, Int((isChallenged || isMoving ? 3 : 12) * sizes.rate / frequency))
        if brief < length {
            if isClear(&analyzer, samples: brief, level: level, isReleasing: isReleasing) { return .present }
            if isChallenged, isReleasing { return .gone }
            if isChallenged, let first = analyzer.candidates.first {
                let stretch = Stretch(start: analyzer.end - brief, isOnset: false)
                let chosen = analyzer.chooseOctave(first: first, in: stretch, running: RunningNote())
                if abs(chosen / frequency - 1) < 0.03 { return .present }
                return .doubtful
            }
        }
        // A vibrato of a low note repeats in three periods only.
        let part = max(sizes.short, Int(3 * sizes.rate / frequency))
        if part < min(brief, length), isClear(&analyzer, samples: part, level: level, isReleasing: isReleasing) {
            return .present
        }
        let clarity = min(part, brief) < length ? reading.clarity : 0
        let repeats = isRepeating(&analyzer, samples: length, level: level)
        reading.clarity = max(reading.clarity, clarity)
        if repeats { return .present }
        guard analyzer.candidates.highest >= 0.3, let first = analyzer.candidates.first else { return .gone }
        // A multiple of the period may score higher by chance: the fits decide, as they did at first.
        let running = RunningNote(
            frequency: reading.frequency, stiffness: tone.stiffness, age: Double(clock.samples) / sizes.rate,
            isFollowed: true)
        let stretch = Stretch(start: analyzer.end - length, isOnset: length < sizes.middle)
        let chosen = analyzer.chooseOctave(first: first, in: stretch, running: running)
        if abs(chosen / frequency - 1) < 0.03 { return .present }
        return isReleasing ? .gone : .doubtful
    }

    /// Whether the newest `length` samples repeat clearly at the note's period and at no shorter one; leaves the clarity.
    ///
    /// A note in doubt is searched for: another one may have come whose period is no half and no third of its own.
    @_noLocks private mutating func isClear(
        _ analyzer: inout NoteAnalyzer, samples length: Int, level: Int, isReleasing: Bool
    ) -> Bool {
        if !isChallenged && !isReleasing,
            let clarity = analyzer.clarity(ofKnown: frequency(analyzer), in: length, level: level), clarity > 0.9
        {
            reading.clarity = clarity
            return true
        }
        return isRepeating(&analyzer, samples: length, level: level) && reading.clarity > 0.9
    }

    /// Whether the first period of the newest `length` samples is that of the note; leaves the clarity at the note's own.
    @_noLocks private mutating func isRepeating(
        _ analyzer: inout NoteAnalyzer, samples length: Int, level: Int
    ) -> Bool {
        let highest = analyzer.findPeriods(in: length, level: level)
        let period = analyzer.sizes.rate / frequency(analyzer)
        reading.clarity = analyzer.candidates.height(at: period)
        guard highest >= 0.3, let first = analyzer.candidates.first else { return false }
        return abs(analyzer.candidates.lag(first) / period - 1) < 0.03
    }
}
