internal import Music
internal import Rhythm

/// Notes that come out under the one before, which is still read.
///
/// A bow or a voice sets in while the note before rings on: one tone is read at a time, and that is the louder one, or an octave
/// that both have in common. What is new tells the other one up to 0.2 s sooner.
extension NoteDecider {
    /// How far apart two looks at one new pitch are at most, in keys: each is good to a third of a semitone.
    private static var agreement: Double { @_noLocks get { 0.5 } }
    /// An octave, and as much as a key that is looked at may be off, in keys.
    private static var octave: Double { @_noLocks get { 12.6 } }

    /// Whether a note may come out under the one before, which is neither new nor long over.
    @_noLocks mutating func mayEmerge(when frame: Int64) -> Bool {
        let level = sounding.isActive ? sounding.level : ringing.level
        let isQuiet = levels.level(0) < level - constants.outweighed
        let isYoung = sounding.isActive && (Double(frame) - sounding.start) / rate < constants.settled
        // An onset is looked at for itself at first.
        let isWaiting = pending.isActive && pending.looks < 2
        let isOtherShown = leaping.isActive && !emerging.isShown
        if !isQuiet, !isYoung, !isWaiting, !isOtherShown, before != nil { return true }
        emerging = leaping.isActive ? emerging : EmergingPitch()
        return false
    }

    /// A pitch that stays the one that is new is shown; one that is evident is a note.
    @_noLocks mutating func emerge(_ fresh: FreshPitch.Result, when frame: Int64) {
        let isNew = fresh.newness >= constants.faint && fresh.trust >= constants.credible
        guard isNew, abs(fresh.key - emerging.key) <= Self.agreement else {
            (emerging.key, emerging.since) = (isNew ? fresh.key : 0, Double(frame))
            return
        }
        guard let before, Double(frame) - emerging.since >= constants.steadfast * rate else { return }
        let distance = emerging.key - before
        // A turn of a vibrato is new, too.
        guard abs(distance) > 1 - constants.still, !isGliding, !isSwaying(fresh.key) else { return }
        let start = emerging.since - constants.readingDelay * rate
        guard !isCorrectionDue(start - levels.hopSeconds * rate) else { return }
        let isEvident = fresh.trust >= constants.evident && fresh.newness >= constants.outright
        let isLasting = Double(frame) - emerging.since >= constants.lasting * rate
        // A vowel that changes raises the third harmonic and those above it.
        let isPartial = distance > Self.octave && KeyScale.isMisreading(distance)
        if isEvident, isLasting, !isPartial, decide(fresh, start, before, frame) { return }
        guard !leaping.isActive, !pending.shown.isActive, !KeyScale.isMisreading(distance) else { return }
        leaping = show(emerging.key, from: start)
        emerging.isShown = true
    }

    /// Decides on what has come out: it is the note of the onset that waits, or one without an onset.
    @_noLocks private mutating func decide(
        _ fresh: FreshPitch.Result, _ start: Double, _ before: Double, _ frame: Int64
    ) -> Bool {
        if pending.isActive {
            pending.hear(fresh, constants)
            return true
        }
        // What comes out sooner than that may be the young note itself, which was misread.
        if sounding.isActive, (start - sounding.newestAttack) / rate <= constants.mature { return false }
        begin(fresh, at: start, after: before, when: frame)
        return true
    }

    /// Begins the note of what has come out.
    @_noLocks private mutating func begin(
        _ fresh: FreshPitch.Result, at start: Double, after before: Double, when frame: Int64
    ) {
        let startBefore = sounding.isActive ? sounding.start : ringing.start
        let isHidden = sounding.isActive ? isKnown : ringing.isActive
        if !leaping.isKey(fresh.key) { dismissRun() }
        let shown = leaping
        (leaping, emerging) = (ShownNote(), EmergingPitch())
        end(at: start)
        var votes = PitchVotes()
        votes.add(fresh.key, weight: constants.freshWeight)
        begin(at: start, key: fresh.key, votes: votes, onset: -1, shown: shown)
        (sounding.before, sounding.over, sounding.startBefore) = (before, before, startBefore)
        (sounding.fresh, sounding.looks, sounding.read) = (fresh, 2, Double(frame))
        sounding.isHidden = isHidden
        tellBegun(shown)
    }
}
