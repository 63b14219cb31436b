internal import CRealtime
internal import Realtime

/// What a note is doing. It is always in exactly one of these phases.
enum NotePhase: BitwiseCopyable {
    /// Nothing sounds that is worth measuring.
    case silence
    /// A sound has just begun: its window is too short for any note. It may be over another one.
    case attack(NoteBelief)
    /// A sound is there, and its note is looked for.
    case acquiring(Acquiring)
    /// A note is followed, and its pitch holds still.
    case steady(Steady)
    /// A note is followed, and its pitch moves.
    case moving(Moving)
    /// A note was followed, but the sound no longer repeats at its period: it is gone unless the next step says otherwise.
    case releasing(Following)
}

/// A note that is followed.
enum Following: BitwiseCopyable {
    case steady(Steady)
    case moving(Moving)

    private var note: FollowedNote {
        @_noLocks get {
            switch self {
            case .steady(let steady): steady.note
            case .moving(let moving): moving.note
            }
        }
    }

    /// Takes in the newest step; returns the phase after it.
    ///
    /// - Parameters:
    ///   - attacks: where the sound began and rose, and how loud it is.
    ///   - isReleasing: whether the step before has found no trace of the note.
    @_noLocks func advance(_ analyzer: inout NoteAnalyzer, _ attacks: borrowing AttackDetector, isReleasing: Bool)
        -> NotePhase
    {
        let length = min(analyzer.end - attacks.onset, analyzer.sizes.middle)
        switch self {
        case .steady(var steady):
            steady.note.clock.advance(by: analyzer.sizes.step)
            analyzer.appendBlocks(of: &steady.note.tone)
            let presence = steady.note.presence(
                &analyzer, in: length, isMoving: false, power: attacks.power, attack: attacks.attack,
                isReleasing: isReleasing)
            if case .gone = presence { return lost(steady.note, analyzer) }
            guard let next = steady.advance(&analyzer) else { return lost(steady.note, analyzer) }
            return next.phase(presence)
        case .moving(var moving):
            moving.note.clock.advance(by: analyzer.sizes.step)
            analyzer.appendBlocks(of: &moving.note.tone)
            let presence = moving.note.presence(
                &analyzer, in: length, isMoving: moving.remaining > 0, power: attacks.power,
                attack: attacks.attack, isReleasing: isReleasing)
            if case .gone = presence { return lost(moving.note, analyzer) }
            let before = moving.note
            guard let next = moving.advance(&analyzer), !before.isLeap(to: next.note) else {
                return lost(before, analyzer)
            }
            return next.phase(presence)
        }
    }

    @_noLocks private func lost(_ note: FollowedNote, _ analyzer: borrowing NoteAnalyzer) -> NotePhase {
        .acquiring(Acquiring(after: note, analyzer: analyzer))
    }

    @_noLocks private func phase(_ presence: NotePresence) -> NotePhase {
        if case .doubtful = presence { return .releasing(self) }
        switch self {
        case .steady(let steady): return .steady(steady)
        case .moving(let moving): return .moving(moving)
        }
    }
}

extension FollowedNote {
    /// Whether the pitch a step later lies too far off to be that of the same note.
    @_noLocks fileprivate func isLeap(to next: FollowedNote) -> Bool {
        !isSameNote(next.tone.fundamental, tone.fundamental)
    }
}
