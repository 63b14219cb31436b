/// Whether a note is struck again.
extension NoteDecider {
    /// Whether the onset strikes the note before again.
    var isAgain: Bool { @_noLocks get { isAgain(pending.repeats(constants)) } }

    /// The same by the evidence so far.
    @_noLocks func isAgain(_ evidence: Double) -> Bool {
        // A short note may be over before an onset of its attack is decided on.
        let (hasBegun, start) = sounding.isActive ? (true, sounding.start) : (ringing.isActive, ringing.start)
        let isOneAttack = hasBegun && (pending.frame - start) / rate < constants.fastest
        // A tone that is struck again has a phase of its own: readings that hear both are vague. Those of one that swells are
        // as sure as before.
        let isUnbroken = sounding.isActive && pending.vaguest < constants.unbroken
        return !isOneAttack && !isSwelling && evidence >= constants.again + (isUnbroken ? constants.doubtful : 0)
    }
}
