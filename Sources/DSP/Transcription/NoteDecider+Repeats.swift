/// Whether a note is struck again.
extension NoteDecider {
    /// Whether the onset strikes the note before again.
    var isAgain: Bool { @_noLocks mutating get { isAgain(pending.repeats(constants)) } }

    /// The same by the evidence so far.
    @_noLocks mutating func isAgain(_ evidence: Double) -> Bool {
        // A short note may be over before an onset of its attack is decided on.
        let (hasBegun, start) = sounding.isActive ? (true, sounding.start) : (ringing.isActive, ringing.start)
        let isOneAttack = hasBegun && (pending.frame - start) / rate < constants.fastest
        let isPulse = (before ?? .infinity) < constants.pulsing && pending.isPulse(constants)
        return !isOneAttack && !isSwelling && !isPulse && evidence >= constants.again
    }

    /// How many samples ago the onset was for which it is to be looked at now whether the note before breaks off; 0 if none.
    @_noLocks mutating func ageToBreak(when frame: Int64) -> Int {
        let age = Double(frame) - pending.frame
        let isDue = pending.isActive && !pending.isBreakLookedAt && before != nil && age >= constants.patience * rate
        return isDue ? Int(age) : 0
    }

    @_noLocks mutating func hearBreak(_ breaking: Double?) {
        (pending.breaking, pending.isBreakLookedAt) = (breaking, true)
    }
}
