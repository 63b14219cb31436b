internal import CRealtime
internal import Realtime
internal import Spectral

/// The phase in which a sound is there and its note is looked for, on the whole window since the attack.
struct Acquiring: BitwiseCopyable {
    /// What a step found.
    struct Outcome: BitwiseCopyable {
        var reading = NoteReading()
        /// The note, once it can be followed, and the stretch that it was found in.
        var found: (note: FoundNote, stretch: Stretch)?
        @_noLocks init() {}
    }

    var belief: NoteBelief
    /// For how long the window's newest parts, shortest first, have agreed with themselves.
    private var partBeliefs = InlineArray<2, NoteBelief>(repeating: NoteBelief())
    /// The note before: a better guess than any, where it agrees.
    private var running = RunningNote()
    /// What the note before has told of its inharmonicity, and where it was.
    private(set) var memory = StiffnessMemory()
    private(set) var remembered = FollowedTone()

    /// After an attack, or after silence.
    ///
    /// - Parameter belief: whether it came while another note rang.
    @_noLocks init(_ belief: NoteBelief) { self.belief = belief }

    /// After a note that was lost.
    @_noLocks init(after note: FollowedNote, analyzer: borrowing NoteAnalyzer) {
        belief = note.belief
        // Where that one was a note, what sounds now is another one over it.
        if note.isEstablished(analyzer) {
            (belief.isOverAnother, belief.ringing) = (true, note.reading.frequency)
        }
        running = RunningNote(
            frequency: note.reading.frequency, stiffness: note.reading.inharmonicity,
            age: Double(note.clock.samples) / analyzer.sizes.rate, isFollowed: false)
        (memory, remembered) = (note.memory, note.tone)
    }

    /// Looks for a note in the window that began at `onset`.
    ///
    /// - Parameters:
    ///   - power: of the newest step.
    ///   - isAnnounced: whether an attack began the sound a short time ago.
    @_noLocks mutating func advance(
        _ analyzer: inout NoteAnalyzer, onset: Int, power: Double, isAnnounced: Bool
    ) -> Outcome {
        let (sizes, constants) = (analyzer.sizes, analyzer.constants)
        var outcome = Outcome()
        let length = min(analyzer.end - onset, sizes.middle)
        let isFull = length == sizes.middle
        let stretch = Stretch(start: analyzer.end - length, isOnset: !isFull)
        let clarity = analyzer.findPeriods(in: length)
        outcome.reading.clarity = clarity
        guard clarity >= constants.leastClarity, let first = analyzer.candidates.first else { return forget(outcome) }
        let guess = analyzer.chooseOctave(first: first, in: stretch, running: running)
        // A window that does not repeat is no note, stiff or not.
        let repeats = analyzer.candidates.height(at: sizes.rate / guess) > constants.leastPart
        var fitted = analyzer.fitNote(guess, in: stretch, running: running, seeksStiffness: repeats)
        // The note may be no candidate at all where what sounds beside it is strong.
        let isLong = 2 * length >= 3 * sizes.short
        if isLong, let found = fitted, !running.isOld(found.frequency, constants),
            let multiple = analyzer.ownSeries(of: found, ringing: belief.ringing)
        {
            fitted = analyzer.fitNote(Double(multiple) * found.frequency, in: stretch, running: running)
        }
        guard let found = fitted, !analyzer.isCommonMeasure(found.tone, level: found.level),
            !Background.isBackground(
                found, scale: analyzer.scale(found.level), power: power, isAnnounced: isAnnounced)
        else { return forget(outcome) }
        let hasStayed = belief.count(
            found.frequency, standardError: found.chanceError, step: sizes.stepTime, most: 2 * constants.steadyTime)
        let agreed = Double(belief.agree(on: found.frequency, at: analyzer.end)) / sizes.rate
        // What repeats must be the note itself, not a lower one that another candidate stands for.
        var evidence = NoteEvidence(
            found, clarity: analyzer.candidates.height(at: sizes.rate / found.frequency), length: length,
            agreed: agreed, belief, analyzer)
        // A room that has sounded for so long goes on beside a note that is found now, and repeats together with it after
        // several periods of the note.
        evidence.isOverAnother = belief.isOverAnother || isFull
        let isInRoom = isFull && !belief.isOverAnother
        evidence.isPartOfLonger = evidence.isPartOfLonger && !isInRoom
        let whole = Sighting(note: found, stretch: stretch, evidence: evidence)
        var best = mostEvident(whole, of: length, isInRoom: isInRoom, &analyzer)
        if best.evidence.isEnough(constants) {
            outcome.reading.isVoiced = true
        } else {
            best = whole
            outcome.reading.isVoiced =
                (evidence.clarity >= constants.clearPeriod && isFull && hasStayed
                    && belief.steadiness >= constants.clearTime)
                || hasStayed && !evidence.isPartOfLonger
                    && belief.isSteady(for: constants.steadyTime, strength: found.explained, level: found.level)
        }
        outcome.reading.clarity = max(clarity, best.evidence.clarity)
        outcome.reading.take(best.note, base: sizes.base)
        running = RunningNote()
        if outcome.reading.isVoiced || isFull {
            (running.frequency, running.stiffness) = (best.note.frequency, best.note.stiffness)
        }
        if outcome.reading.isVoiced && isLong { outcome.found = (best.note, best.stretch) }
        return outcome
    }

    @_noLocks private mutating func forget(_ outcome: Outcome) -> Outcome {
        belief.forget()
        for part in 0..<partBeliefs.count { partBeliefs[part].forget() }
        running = RunningNote()
        return outcome
    }

    /// Asks the newest parts of the window as well, the shortest first, unless the whole window is certain: the hammer, the
    /// breath or another note may be behind them. Returns what has the most evidence.
    @_noLocks private mutating func mostEvident(
        _ whole: Sighting, of length: Int, isInRoom: Bool, _ analyzer: inout NoteAnalyzer
    ) -> Sighting {
        let (sizes, constants) = (analyzer.sizes, analyzer.constants)
        if whole.evidence.isEnough(constants), whole.evidence.sum > constants.leastEvidence { return whole }
        // A whole window of too few periods is not enough by itself, but shows what a part is too short for.
        var (best, most) = (whole, whole.evidence.sum)
        for part in 0..<partBeliefs.count {
            let isLast = part == partBeliefs.count - 1
            // What is explained is one at most.
            guard
                var other = analyzer.findNewest(
                    isLast ? sizes.short : sizes.short / 2, of: length, mayGrow: isLast,
                    clarity: max(constants.leastPart, most - 1), running: running, belief)
            else {
                partBeliefs[part].forget()
                continue
            }
            let agreed = partBeliefs[part].agree(on: other.note.frequency, at: analyzer.end)
            other.evidence.agreed = Double(agreed) / sizes.rate
            // The whole window has its own say.
            if abs(other.note.frequency / whole.note.frequency - 1) < NoteEvidence.agreement {
                other.evidence.agreed = max(other.evidence.agreed, whole.evidence.agreed)
            }
            other.evidence.isOverAnother = whole.evidence.isOverAnother
            other.evidence.isPartOfLonger = other.evidence.isPartOfLonger && !isInRoom
            if other.evidence.sum > most { (best, most) = (other, other.evidence.sum) }
        }
        return best
    }
}

extension NoteReading {
    /// Takes over what a fit found.
    @_noLocks mutating func take(_ found: FoundNote, base: Int) {
        (frequency, periodicity, inharmonicity) = (found.frequency, found.periodicity, found.stiffness)
        standardError = found.standardError
        window = (found.samples << found.level) * base
    }
}
