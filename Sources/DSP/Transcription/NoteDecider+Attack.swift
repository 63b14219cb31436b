/// An attack that is heard twice: the thump of a plucked string and then its tone, the scratch of a bow on a low one.
extension NoteDecider {
    /// Whether the onset that waits, of a note of this key, is still the attack of the note that sounds.
    ///
    /// That was told as a low key by its new sound alone, and no reading has ever agreed. Nobody plays another note so soon. And
    /// the new sound tells a low key no better than to a few thirds of a semitone, or takes the scratch of a bow for another one
    /// than that of the note before, which is read when the scratch is over.
    @_noLocks func isStillAttack(_ key: Double) -> Bool {
        guard sounding.isActive, sounding.onset >= 0, contour.readings == 0, sounding.key < constants.unresolved
        else { return false }
        let gap = (pending.frame - sounding.start) / rate
        let isExplained = abs(key - sounding.key) < constants.vague || abs(key - sounding.before) < 0.6
        let isAtOnce = (pending.frame - sounding.newestAttack) / rate < constants.fastest
        return gap < constants.correction && (isAtOnce || isExplained)
    }

    /// Whether the note that sounds is known by its new sound alone, and may take longer to be read.
    var isAwaited: Bool {
        @_noLocks get { contour.readings == 0 && seconds(since: sounding.newestAttack) < constants.search }
    }

    /// The note that sounds is that of the onset that waits.
    @_noLocks mutating func becomePending(_ key: Double) {
        (sounding.key, sounding.votes) = (key, pending.votes)
        sounding.level = max(sounding.level, pending.loudest)
        (sounding.lastVoiced, sounding.secondAttack) = (Double(now), pending.frame)
        run = SteadyRun()
        dismiss()
        tell(.corrected)
    }

    /// Whether the onset that waits is a part of a slow attack, which rises by about as much as it fell, or more: a trombone is
    /// tongued, falls by 5 dB and comes in 0.15 s later. A note that is struck again comes out of a dip or out of a decay.
    var isSwelling: Bool {
        @_noLocks get {
            let isYoung = sounding.isActive && (pending.frame - sounding.start) / rate < constants.speaking
            return isYoung && !(pending.isSharp && sounding.isSharp) && pending.isSwelling(constants)
        }
    }
}
