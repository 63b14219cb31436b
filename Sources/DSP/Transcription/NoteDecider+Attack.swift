/// An attack that is heard twice: the thump of a plucked string and then its tone, the scratch of a bow on a low one.
extension NoteDecider {
    /// Whether the onset that waits, of a note of this key, is still the attack of the note that sounds.
    ///
    /// Either it is soft, and tells the pitch that was told before, which had hardly been read or was misread since: the section of
    /// violins swells, the period of a low string is as long as what the level is the mean of. Or the note that sounds was told
    /// by its new sound alone, and no reading has ever agreed: then two onsets at once are one attack. Of a low note the new
    /// sound tells the key no better than to a few thirds of a semitone, or the scratch of a bow is taken for another key, or for
    /// that of the note before, until the scratch is over.
    @_noLocks mutating func isStillAttack(_ key: Double) -> Bool {
        guard sounding.isActive, sounding.onset >= 0 else { return false }
        guard mayBeCorrected || abs(key - sounding.key) < 0.6 else { return false }
        let gap = (pending.frame - sounding.start) / rate
        let isStroke = pending.strength >= constants.stroke
        if !isStroke, gap < constants.rearing, isHeardAnew(key) || isUnread(key) { return true }
        guard contour.readings == 0, gap < constants.correction else { return false }
        let isAtOnce = (pending.frame - sounding.newestAttack) / rate < constants.fastest
        if isAtOnce { return true }
        let lowest = isStroke ? sounding.key : min(sounding.key, key)
        guard lowest < constants.unresolved else { return false }
        let isExplained = abs(key - sounding.key) < constants.vague || abs(key - sounding.before) < 0.6
        let isUnsure = !isStroke && sounding.fresh.trust < constants.sure
        return isExplained || isUnsure
    }

    /// Whether the note that sounds is that key, and had hardly been read before the onset that waits.
    @_noLocks private mutating func isUnread(_ key: Double) -> Bool {
        abs(key - sounding.key) < 0.6 && sounding.firstRead > pending.frame - constants.hardly * rate
    }

    /// Whether the new sound told the young note that sounds as this key, before it was misread as another one.
    @_noLocks private mutating func isHeardAnew(_ key: Double) -> Bool {
        sounding.looks > 0 && sounding.fresh.newness > constants.newness && abs(key - sounding.fresh.key) < 0.6
            && abs(key - sounding.key) > 0.6 && abs(key - sounding.before) > 0.6
    }

    /// Whether the note that sounds is known by its new sound alone, and may take longer to be read, or until an onset that may
    /// still be its attack is decided on.
    var isAwaited: Bool {
        @_noLocks mutating get {
            let newest = sounding.newestAttack
            let isPending =
                pending.isActive && pending.strength < constants.stroke
                && (pending.frame - newest) / rate < constants.correction
            return isHardlyRead && (seconds(since: newest) < constants.unread || isPending)
        }
    }

    /// Whether the note that sounds was read for a moment at most: a flute is read as it sets in, and not again before its breath
    /// gives way to the tone.
    var isHardlyRead: Bool {
        @_noLocks mutating get { Double(contour.readings) * levels.hopSeconds <= constants.scarce }
    }

    /// The note that sounds is that of the onset that waits.
    @_noLocks mutating func becomePending(_ key: Double) {
        if abs(key - sounding.key) > 0.6 {
            contour.clear()
            sounding.firstRead = .infinity
        }
        (sounding.key, sounding.votes) = (key, pending.votes)
        sounding.level = max(sounding.level, pending.loudest)
        (sounding.lastVoiced, sounding.secondAttack) = (Double(now), pending.frame)
        run = SteadyRun()
        dismiss()
        if mayBeCorrected { tell(.corrected) }
    }

    /// Whether the onset that waits is a part of a slow attack, which rises by about as much as it fell, or more: a trombone is
    /// tongued, falls by 5 dB and comes in 0.15 s later. A note that is struck again comes out of a dip or out of a decay.
    var isSwelling: Bool {
        @_noLocks mutating get {
            let isYoung = sounding.isActive && (pending.frame - sounding.start) / rate < constants.speaking
            return isYoung && !(pending.isSharp && sounding.isSharp) && pending.isSwelling(constants)
        }
    }
}
