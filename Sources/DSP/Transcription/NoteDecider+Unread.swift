/// Notes that no reading has told yet when they may be corrected for the last time.
///
/// A bow scratches for 0.2 s on a low string, a plucked body rings louder than the tone, and the new sound tells a harmonic of
/// a high one. All that sounds, for as long as it is looked at, is a second witness by then.
extension NoteDecider {
    /// Whether the note that sounds is one.
    var isUnreadAtLast: Bool {
        @_noLocks mutating get {
            sounding.isActive && sounding.onset >= 0 && isHardlyRead && isLastChance
        }
    }

    /// Whether the note that sounds is known to be one: it was read, it is a tone, or a note before it hides its pitch.
    var isKnown: Bool { @_noLocks mutating get { contour.readings > 0 || sounding.isTone || sounding.isHidden } }

    /// - Parameter all: what all that sounds is likest to.
    @_noLocks mutating func hearAll(_ all: FreshPitch.Whole) {
        let distance = all.key - sounding.key
        let isTone = all.near >= constants.tonal && all.own >= constants.pure && !isFading
        if isTone, abs(distance) > 0.6, abs(all.key - sounding.before) > 0.6, isLikelier(distance, all.near) {
            (sounding.key, sounding.votes) = (all.key, PitchVotes())
            tell(.corrected)
        } else if !sounding.isHidden, !isTone {
            // Out of silence, noise is as new as a tone.
            release(at: Double(now))
            tellEnded()
        }
        if sounding.isActive { sounding.isTone = isTone }
    }

    /// Whether what all that sounds tells is likelier than what the new sound told.
    ///
    /// Of 500 notes that were tuned on, 37 are told right by it that were not, and none is wrong that was right. An octave
    /// below, which has all harmonics of the tone, is none: 15 of 16 are wrong.
    @_noLocks private mutating func isLikelier(_ distance: Double, _ near: Double) -> Bool {
        let isLow = sounding.key < constants.unresolved
        if isLow, levels.level(0) > sounding.level + constants.growing { return true }
        let isOctave = abs(distance - 12) < 0.6
        if isLow, isOctave || abs(distance - 19) < 0.6 { return true }
        return near > constants.clear && (isOctave || abs(distance + 19) < 0.6 || abs(distance + 31) < 0.6)
    }

    /// Whether the level has fallen as that of a clap or a click does.
    private var isFading: Bool {
        @_noLocks mutating get { levels.level(0) < sounding.level - constants.clapping }
    }
}
