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
        if clock.reaches(sizes.middle), isLowerInFullWindow(&analyzer, in: length) { return .gone }
        guard isDue || isReleasing else { return .present }
        let frequency = frequency(analyzer)
        // 40 samples a period are enough to see whether it is still the same; a low note needs no fast copy for that.
        var level = 2
        while level > 0 && frequency * Double(40 << level) > sizes.rate { level -= 1 }
        // A clear high note shows in a part of the window already.
        let brief = max(sizes.short, Int((isChallenged || isMoving ? 3 : 12) * sizes.rate / frequency))
        if brief < length {
            if isClear(&analyzer, samples: brief, level: level, isReleasing: isReleasing) { return .present }
            if isLowerNote(&analyzer, in: brief) { return .gone }
            if isChallenged, isReleasing { return .gone }
            if isChallenged, let first = analyzer.candidates.first {
                let stretch = Stretch(start: analyzer.end - brief, isOnset: false)
                let chosen = analyzer.chooseOctave(first: first, in: stretch, running: RunningNote())
                if isSameNote(chosen, frequency) { return .present }
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
        guard analyzer.candidates.highest >= analyzer.constants.leastClarity, let first = analyzer.candidates.first
        else { return .gone }
        // A multiple of the period may score higher by chance: the fits decide, as they did at first.
        let running = RunningNote(
            frequency: reading.frequency, stiffness: tone.stiffness, age: Double(clock.samples) / sizes.rate,
            isFollowed: true)
        let stretch = Stretch(start: analyzer.end - length, isOnset: length < sizes.middle)
        let chosen = analyzer.chooseOctave(first: first, in: stretch, running: running)
        if isSameNote(chosen, frequency) { return .present }
        return isReleasing ? .gone : .doubtful
    }

    /// Whether a note turns out a lower one now that the window holds more periods than it had when it was found.
    ///
    /// A second or third partial 20 dB above all others repeats clearly by itself; the others show at the multiple only.
    @_noLocks private func isLowerInFullWindow(_ analyzer: inout NoteAnalyzer, in length: Int) -> Bool {
        let (sizes, constants, frequency) = (analyzer.sizes, analyzer.constants, frequency(analyzer))
        guard !belief.isOverAnother else { return false }
        analyzer.findPeriods(in: length)
        guard analyzer.candidates.hasClearerMultiple(of: sizes.rate / frequency, below: 1, constants),
            let first = analyzer.candidates.first
        else { return false }
        let running = RunningNote(
            frequency: reading.frequency, stiffness: tone.stiffness, age: Double(clock.samples) / sizes.rate,
            isFollowed: false)
        let stretch = Stretch(start: analyzer.end - length, isOnset: length < sizes.middle)
        return analyzer.chooseOctave(first: first, in: stretch, running: running) < 0.707 * frequency
    }

    /// Whether a young note is a lower one: the newest `length` samples, which have been searched, repeat much better at a
    /// multiple of its period, and the fits choose that.
    @_noLocks private func isLowerNote(_ analyzer: inout NoteAnalyzer, in length: Int) -> Bool {
        let (sizes, constants, frequency) = (analyzer.sizes, analyzer.constants, frequency(analyzer))
        guard clock.samples < sizes.samples(constants.octaveDoubt),
            analyzer.candidates.hasClearerMultiple(of: sizes.rate / frequency, below: constants.clearPeriod, constants),
            let first = analyzer.candidates.first
        else { return false }
        let stretch = Stretch(start: analyzer.end - length, isOnset: false)
        // Half an octave: between the note's own period and twice that.
        return analyzer.chooseOctave(first: first, in: stretch, running: RunningNote()) < 0.707 * frequency
    }

    /// Whether the newest `length` samples repeat clearly at the note's period and at no shorter one; leaves the clarity.
    ///
    /// A note in doubt is searched for: another one may have come whose period is no half and no third of its own.
    @_noLocks private mutating func isClear(
        _ analyzer: inout NoteAnalyzer, samples length: Int, level: Int, isReleasing: Bool
    ) -> Bool {
        if !isChallenged && !isReleasing,
            let clarity = analyzer.clarity(ofKnown: frequency(analyzer), in: length, level: level),
            clarity > analyzer.constants.clearPeriod
        {
            reading.clarity = clarity
            return true
        }
        return isRepeating(&analyzer, samples: length, level: level)
            && reading.clarity > analyzer.constants.clearPeriod
    }

    /// Whether the first period of the newest `length` samples is that of the note; leaves the clarity at the note's own.
    @_noLocks private mutating func isRepeating(
        _ analyzer: inout NoteAnalyzer, samples length: Int, level: Int
    ) -> Bool {
        let highest = analyzer.findPeriods(in: length, level: level)
        let period = analyzer.sizes.rate / frequency(analyzer)
        reading.clarity = analyzer.candidates.height(at: period)
        guard highest >= analyzer.constants.leastClarity, let first = analyzer.candidates.first else { return false }
        return isSameNote(analyzer.candidates.lag(first), period)
    }
}
