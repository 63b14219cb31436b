internal import Rhythm

extension NoteDecider {
    @_noLocks mutating func hear(_ onset: Onset) {
        if case .refined = onset.stage {
            refine(onset)
            return
        }
        let age = sounding.isActive ? seconds(since: sounding.start) : 0
        var new = PendingNote(onset, levels: levels, age: age, fading: constants.fading)
        new.trough = trough
        // Readings of the next few milliseconds still belong to the one before.
        if pending.isActive {
            if following.isActive { shift() }
            following = new
        } else {
            pending = new
        }
    }

    /// The final time of an onset.
    @_noLocks private mutating func refine(_ onset: Onset) {
        if pending.onset == onset.number {
            pending.refine(onset)
        } else if following.onset == onset.number {
            following.refine(onset)
        } else if sounding.isActive, sounding.onset == onset.number {
            sounding.isSharp = onset.kind == .sharp
            if sounding.isPlaced, !sounding.isSharp { return }
            move(to: onset.frame)
        }
    }

    /// The note before the onset, which may ring on.
    var before: Double? {
        @_noLocks mutating get { sounding.isActive ? center : ringing.isActive ? ringing.key : nil }
    }

    /// The next onset takes the place of the one that waits.
    @_noLocks mutating func shift() {
        // An onset within a glide is none: its readings lie on the way.
        if pending.isActive, !isGliding { settle() }
        dismiss()
        pending = following
        following = PendingNote()
    }

    /// Decides with what is known.
    @_noLocks mutating func settle() {
        let new = pending.votes.best(excluding: before)
        if new.count >= 2 {
            accept(new.key)
        } else if let old = before, pending.votes.entry(near: old).count >= 2,
            isAgain
        {
            accept(old)
        }
        dismiss()
    }

    @_noLocks mutating func consider(_ key: Double?) {
        let age = seconds(since: pending.frame)
        // One that is told later than that is as loud as it is then.
        if age < 0.08 || pending.loudest == LevelTrack.none { pending.loudest = max(pending.loudest, levels.level(0)) }
        if isSpent {
            dismiss()
            return
        }
        if let key, age > constants.blind { pending.votes.add(key, weight: min(1, age / 0.06)) }
        showAgain(key, age: age)
        guard !isGliding else {
            // An onset within a glide is none.
            if isSearchOver { dismiss() }
            return
        }
        let new = pending.votes.best(excluding: before)
        let isDoubted = isDoubted(new.key)
        if let key, !isDoubted, abs(key - new.key) < 0.6, Double(new.count) >= constants.agreeing {
            if isOfSway(new.key) { return }
            accept(new.key)
            return
        }
        let fresh = pending.fresh
        let isOld = before.map { abs(fresh.key - $0) < 0.6 } ?? false
        let isEarly = age < constants.patience
        let isTrusted = pending.looks > 0 && fresh.trust >= constants.trust
        if isTrusted, !isOld, fresh.newness > (isEarly ? constants.plain : constants.newness) {
            if isOfSway(fresh.key) { return }
            accept(fresh.key)
            return
        }
        guard !isEarly else { return }
        if new.count > 0, !isDoubted, let key, abs(key - new.key) < 0.6 {
            if isOfSway(new.key) { return }
            accept(new.key)
        } else if let old = before, pending.votes.entry(near: old).count >= 2,
            isAgain
        {
            accept(old)
        } else if isSearchOver {
            dismiss()
        }
    }

    /// Whether the onset that waits has waited for as long as a note that is shown for it may.
    private var isSearchOver: Bool {
        @_noLocks mutating get {
            let begin = pending.shown.isActive ? min(pending.frame, pending.shown.start) : pending.frame
            return seconds(since: begin) > constants.search - levels.hopSeconds
        }
    }

    /// Whether a pitch that is read after the onset that waits may be none of the new note: that of a note that rings on, or
    /// one of which such a note and the new one are harmonics, as after a fourth or a fifth. The new sound tells, once it was
    /// looked at.
    @_noLocks private mutating func isDoubted(_ key: Double) -> Bool {
        if FreshPitch.isBelow(key, pending.fresh) { return true }
        guard pending.loudest - pending.lowest < constants.masking else { return false }
        let old = before ?? -1
        if pending.looks > 0 { return isDoubtful(key, beside: pending.fresh, after: old) }
        return isThat(key, of: old) || isCommon(key, to: old)
    }

    /// The onset that waits is that of a note.
    @_noLocks private mutating func accept(_ key: Double) {
        if isStillAttack(key) {
            becomePending(key)
            return
        }
        var votes = pending.votes
        if let old = before, abs(old - key) > 0.6 { votes.discount(old, to: constants.ringing) }
        let old = before
        // Out of silence the level tells nothing: there the noise of the room is lowest somewhere.
        let isSilent = pending.lowest < (sounding.isActive ? sounding.level : ringing.level) - constants.outweighed
        let startBefore = sounding.isActive ? sounding.start : ringing.start
        let isHidden = sounding.isActive ? isKnown : ringing.isActive
        if sounding.isActive { end(at: pending.frame) }
        if !pending.shown.isActive, leaping.isKey(key) { swap(&pending.shown, &leaping) }
        let shown = pending.shown
        begin(at: pending.frame, key: key, votes: votes, onset: pending.onset, shown: shown)
        (sounding.before, sounding.over, sounding.startBefore) = (old ?? -1, old ?? -1, startBefore)
        sounding.isHidden = isHidden
        sounding.trough = old == nil || isSilent ? -.infinity : pending.trough
        (sounding.fresh, sounding.looks, sounding.isSharp) = (pending.fresh, pending.looks, pending.isSharp)
        (sounding.level, sounding.rise) = (pending.loudest, pending.loudest - pending.lowest)
        pending = PendingNote()
        tellBegun(shown)
    }

    /// What the new sound is to be looked at for.
    private enum Look { case nothing, glimpse, pending, sounding, run }

    /// An onset twice, first early and then for good; a reading that leaps away without an onset once.
    @_noLocks private mutating func look(_ frame: Int64) -> Look {
        if pending.isActive {
            let age = Double(frame) - pending.frame
            if isDue(pending.looks, age) { return .pending }
            if pending.looks < 2, !pending.shown.isActive, age >= constants.glimpse * rate { return .glimpse }
        }
        if sounding.isActive, sounding.onset >= 0, isDue(sounding.looks, Double(frame) - sounding.start) {
            return .sounding
        }
        return !pending.isActive && run.count == 1 && !run.isLookedAt && hasLeapt ? .run : .nothing
    }

    @_noLocks private mutating func isDue(_ looks: Int, _ age: Double) -> Bool {
        looks < 2 && age >= (looks == 0 ? constants.glance : constants.patience) * rate
    }

    /// How many samples ago that began for which the new sound is to be looked at now; 0 if it is not.
    @_noLocks mutating func ageToLookAt(when frame: Int64) -> Int {
        switch look(frame) {
        case .nothing: 0
        case .pending, .glimpse: Int(Double(frame) - pending.frame)
        case .sounding: Int(Double(frame) - sounding.start)
        case .run: Int(constants.readingDelay * rate)
        }
    }

    /// The key of the note before; -1 for none.
    @_noLocks mutating func keyBefore(when frame: Int64) -> Double {
        if case .sounding = look(frame) { return sounding.before }
        return before ?? -1
    }

    /// What is new since that for which `ageToLookAt` asked.
    @_noLocks mutating func hear(_ fresh: FreshPitch.Result, when frame: Int64) {
        switch look(frame) {
        case .nothing: break
        case .glimpse: glimpse(fresh)
        case .pending:
            pending.hear(fresh, constants)
            pending.looks += 1
            glimpse(fresh)
        case .sounding:
            sounding.votes.hear(fresh, instead: sounding.fresh, constants)
            sounding.fresh = fresh
            sounding.looks += 1
            // What was read before is as suspect as what will be.
            if isSuspect(sounding.key) { sounding.votes.discount(sounding.key, to: constants.ringing) }
        case .run: (run.fresh, run.isLookedAt) = (fresh, true)
        }
    }
}
