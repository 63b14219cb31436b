internal import CRealtime
internal import Music
internal import Rhythm

/// What is a turn of a vibrato and no note.
extension NoteDecider {
    /// Whether a pitch is as near to the note that sounds as its vibrato swings.
    @_noLocks mutating func isInSwing(_ key: Double) -> Bool {
        seconds(since: sounding.swungAt) < constants.swinging
            && abs(key - center) < max(constants.departure, sounding.swing + constants.still)
    }

    /// Whether the pitch beside the note that sounds is a turn of its vibrato.
    @_noLocks mutating func isSwaying(_ key: Double) -> Bool {
        guard sounding.isActive, abs(key - center) < 2 * constants.widest else { return false }
        let age = seconds(since: sounding.firstRead)
        var swing = sway.swing(within: age)
        if !isTurn(key, of: swing) {
            // What was before the note tells steps from turns, unless it leapt from there.
            let stretch = sway.stretch(within: 2 * constants.widest)
            guard stretch > age else { return false }
            swing = sway.swing(within: stretch)
            guard isTurn(key, of: swing) else { return false }
        }
        (sounding.swing, sounding.swungAt) = (swing.depth, Double(now))
        // A note that began at a turn was read on that side only.
        if age < sway.reach {
            sway.refill(&contour, within: age)
            review()
        }
        return true
    }

    /// Names a note that sways by the middle of its swing, when it can be corrected for the last time: the mean of its readings
    /// is not that yet.
    @_noLocks mutating func nameByMiddle() {
        let age = min(seconds(since: sounding.start), sway.stretch(within: 2 * constants.widest))
        let swing = sway.swing(within: age)
        // What was told may be a turn.
        let isNear = abs(center - swing.center) < swing.depth + constants.still
        guard isNear, swing.depth > constants.still, swing.depth < constants.widest, sway.isVibrato(swing, constants)
        else {
            return
        }
        let named = swing.center + KeyScale.offset(reference: reference.a4.value)
        guard let told = sounding.told, abs(named - Double(told.midi)) > constants.boundary else { return }
        (sounding.told, sounding.isNamed) = (Note(midi: Int(rt_round(named))), true)
        tell(.corrected)
    }

    /// Whether a pitch is a turn of the course that was found last, and that is a vibrato about the note that sounds.
    @_noLocks private mutating func isTurn(_ key: Double, of swing: PitchSway.Swing) -> Bool {
        swing.depth < constants.widest && abs(key - swing.center) < constants.widest
            && abs(center - swing.center) < swing.depth && sway.isVibrato(swing, constants)
    }

    /// Whether the pitch after the onset that waits is a turn of a vibrato: then the onset is none.
    @_noLocks mutating func isOfSway(_ key: Double) -> Bool {
        guard pending.strength < constants.stroke, abs(key - center) > constants.still, isSwaying(key) else {
            return false
        }
        dismiss()
        return true
    }
}
