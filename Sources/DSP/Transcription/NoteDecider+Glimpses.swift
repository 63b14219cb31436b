internal import Music
internal import Realtime
internal import Rhythm

/// Notes that are shown before they are decided on.
extension NoteDecider {
    /// Shows the note of the onset that waits, where what has come in since tells its pitch. One of the pitch before has to be
    /// louder.
    @_noLocks mutating func glimpse(_ fresh: FreshPitch.Result) {
        guard !pending.shown.isActive, fresh.newness > constants.plain, !isGliding else { return }
        let isRead = course[5] > 0 && abs(course[5] - fresh.key) < constants.departure
        if let before, abs(before - fresh.key) < 0.6, !isAgain(pending.rises(constants)) { return }
        let age = seconds(since: pending.frame)
        let periods = age * KeyScale.frequency(fresh.key)
        let isPlain = periods >= constants.resolved && (!pending.isSharp || age >= constants.unhurried)
        guard isRead || isPlain else { return }
        let key = isRead ? course[5] : fresh.key
        if leaping.isKey(key) {
            swap(&pending.shown, &leaping)
        } else {
            pending.shown = show(key, from: pending.frame)
        }
    }

    /// Shows a note that was struck again, where what is read is its pitch.
    @_noLocks mutating func showAgain(_ key: Double?, age: Double) {
        guard !pending.shown.isActive, !isGliding, let key, let old = before, abs(key - old) < 0.6,
            pending.votes.entry(near: old).count >= 2, pending.votes.best(excluding: old).count < 2
        else { return }
        let isOver = !sounding.isActive
        guard isOver || age >= constants.glimpse else { return }
        // By then the new note is about as loud as it becomes.
        let isKnown = isOver && age >= constants.unhurried
        guard isAgain(isKnown ? pending.repeats(constants) : pending.rises(constants)) else { return }
        if leaping.isKey(old) {
            swap(&pending.shown, &leaping)
        } else {
            pending.shown = show(old, from: pending.frame)
        }
    }

    /// Shows the note of a row of readings without an onset.
    @_noLocks mutating func showRun() {
        guard !leaping.isActive, seconds(since: run.first) >= constants.shownFor else { return }
        leaping = show(run.mean, from: run.first - constants.readingDelay * rate)
        (leapingSince, emerging.isShown) = (run.first, false)
    }

    /// Forgets the onset that waits. A note that is shown for it is none.
    @_noLocks mutating func dismiss() {
        withdraw(pending.shown)
        pending = PendingNote()
    }

    /// The row of readings that a note is shown for has come to nothing.
    @_noLocks mutating func dismissRun() {
        withdraw(leaping)
        leaping = ShownNote()
    }

    @_noLocks private mutating func withdraw(_ shown: ShownNote) {
        if shown.isActive { events.push(NoteEvent(.withdrawn, described(shown), toldAt: now)) }
    }

    /// Tells that a note has begun, or in what it differs from the one that is shown.
    @_noLocks mutating func tellBegun(_ shown: ShownNote) {
        if !shown.isActive {
            tell(.began)
        } else if shown.start != sounding.start || !shown.isKey(sounding.key) {
            tell(.corrected)
        } else {
            sounding.told = described(shown).note
        }
    }

    @_noLocks mutating func show(_ key: Double, from start: Double) -> ShownNote {
        var shown = ShownNote()
        (shown.number, shown.key, shown.start) = (count, key, max(0, start))
        count += 1
        events.push(NoteEvent(.began, described(shown), toldAt: now))
        return shown
    }

    @_noLocks private mutating func described(_ shown: ShownNote) -> TranscribedNote {
        var note = TranscribedNote()
        (note.number, note.start, note.end) = (shown.number, shown.start, Double(now))
        name(&note, shown.key)
        note.standardError = Cents(100 * constants.leastError)
        note.level = Decibels(levels.level(0))
        return note
    }
}
