internal import Music
internal import Pitch
internal import Rhythm

extension NoteDecider {
    /// Follows the note that sounds through a reading.
    @_noLocks mutating func follow(_ key: Double?, _ reading: PitchReading) {
        let age = seconds(since: sounding.start)
        if age < 0.1 { sounding.level = max(sounding.level, levels.level(0)) }
        guard let key else {
            run = SteadyRun()
            contour.skip()
            // A vague reading.
            if sounding.lastVoiced == Double(now), let end = knee {
                release(at: end)
                return
            }
            // The noise of its attack fades before that.
            if age < constants.unsettled, !isAwaited {
                fade(isRead: false)
                guard sounding.isActive, sounding.swollen < 0 else { return }
            }
            if !isAwaited, seconds(since: sounding.lastVoiced) > constants.gap {
                release(at: knee ?? sounding.lastVoiced)
            }
            return
        }
        sounding.lastVoiced = Double(now)
        let center = center
        let isNear = abs(key - center) < constants.departure
        if sounding.released >= 0, abs(key - center) > constants.still {
            release(at: sounding.released)
            awaken(key)
            return
        }
        if isNear {
            (sounding.lastRead, sounding.hasGlided) = (Double(now), false)
            sounding.firstRead = min(sounding.firstRead, Double(now))
            contour.add(
                key, error: reading.standardError.value, window: Double(reading.window) / rate)
            review()
        } else if isInSwing(key) {
            contour.add(key, error: reading.standardError.value, window: Double(reading.window) / rate)
        } else {
            contour.skip()
            if isGliding { sounding.hasGlided = true }
        }
        if !isInterrupted {
            if age < constants.correction { correct(key, age: age) }
            guard sounding.isActive else { return }
            if isNear { comeBack() } else { depart(key, from: center) }
        }
        if sounding.isActive, !isAwaited { fade(isRead: true) }
    }

    /// The pitch of a young note that turns out to be another one.
    @_noLocks private mutating func correct(_ key: Double, age: Double) {
        var weight = min(1, max(0.1, age / 0.06))
        if isSuspect(key) { weight *= constants.ringing }
        sounding.votes.add(key, weight: weight)
        let best = sounding.votes.best(excluding: nil)
        guard abs(best.key - sounding.key) > 0.6,
            best.weight > 1.2 * sounding.votes.entry(near: sounding.key).weight
        else { return }
        if isProven, !KeyScale.isMisreading(best.key - sounding.key) { return }
        sounding.key = best.key
        sounding.isPlaced = age < constants.placing + constants.overslept
        contour.clear()
        sounding.firstRead = .infinity
        run = SteadyRun()
        tell(.corrected)
    }

    /// Whether a reading may be that of a note before, which rings on, or that of a pitch of which it is a harmonic: as one
    /// tone, two tones have the pitch of which both are harmonics, after a fifth down the octave below the lower one.
    @_noLocks mutating func isSuspect(_ key: Double) -> Bool {
        if FreshPitch.isBelow(key, sounding.fresh) { return true }
        guard sounding.looks > 0, sounding.rise < constants.masking else { return false }
        return isDoubtful(key, beside: sounding.fresh, after: sounding.before)
    }

    /// Whether what is new tells another pitch than this one, and a note that may ring on explains why it is read.
    @_noLocks mutating func isDoubtful(_ key: Double, beside fresh: FreshPitch.Result, after before: Double) -> Bool {
        guard fresh.newness > constants.newness, fresh.trust >= constants.trust else { return false }
        let distance = abs(key - fresh.key)
        // Of a low note, the new sound tells the key to a semitone.
        return distance > 0.6 && isThat(key, of: before) || distance > 1.1 && isCommon(key, to: before)
    }

    /// Whether a pitch is that of the note before or of one that may ring on.
    @_noLocks mutating func isThat(_ key: Double, of before: Double) -> Bool {
        abs(before - key) < 0.6 || recent.contains(key, since: Double(now) - constants.rings * rate)
    }

    /// Whether the note before or one that may ring on is a harmonic of a pitch, which a new note may have in common with it.
    @_noLocks mutating func isCommon(_ key: Double, to before: Double) -> Bool {
        before > key && KeyScale.isMisreading(before - key)
            || recent.haveHarmonic(of: key, since: Double(now) - constants.rings * rate)
    }

    /// Whether the young note was read for so long, as a pitch that the one before does not explain, that it is a note.
    private var isProven: Bool {
        @_noLocks mutating get {
            guard Double(contour.readings) * levels.hopSeconds >= constants.proven else { return false }
            let interval = sounding.before - sounding.key
            return sounding.before < 0 || (abs(interval) > 0.6 && !KeyScale.isMisreading(interval))
        }
    }

    /// A reading of the note again. What was away before may have been a turn of a vibrato that is too fast to hold still.
    @_noLocks private mutating func comeBack() {
        if run.count > 1, !isInSwing(run.mean) { _ = isSwaying(run.mean) }
        run = SteadyRun()
    }

    /// A reading away from the note: where it holds still, another note has begun without an onset.
    @_noLocks private mutating func depart(_ key: Double, from center: Double) {
        run.add(key, at: Double(now), still: constants.still)
        let mean = run.mean
        let dip = isProven && KeyScale.isMisreading(key - center) ? dipBeforeLeap : nil
        let isOwn = isProven && (dip != nil || !KeyScale.isMisreading(mean - sounding.key))
        let isCorrection = !isOwn && (run.first - sounding.newestAttack) / rate < constants.correction
        // For the last time, with as many readings as make a note after an onset.
        let isDue = isCorrection && isLastChance && Double(run.count) >= constants.agreeing
        guard isDue || seconds(since: run.first) >= needed(key - center, isParted: dip != nil) else {
            if run.isLeap, !isCorrection, !KeyScale.isMisreading(key - center), !isInSwing(key) { showRun() }
            return
        }
        if isSwaying(mean) { return }
        if isCorrection {
            // What was read first was the note before, which rang on, or the noise of the attack. But what is read for longer
            // than a note rings is the note.
            let doubt = sounding.fresh.trust < constants.sure ? constants.briefDoubt : constants.doubt
            guard !isSuspect(mean) || seconds(since: sounding.start) >= doubt else { return }
            guard mayBeCorrected else {
                // It keeps its name; its course is that of what is read.
                if contour.readings == 0, abs(mean - sounding.key) < constants.vague { sounding.key = mean }
                return
            }
            sounding.key = mean
            // The votes are void: they were for what it is not, and would bring that back with the next reading.
            sounding.votes = PitchVotes()
            sounding.votes.add(mean, weight: Double(run.count))
            sounding.isPlaced = seconds(since: sounding.start) < constants.placing + constants.overslept
            run = SteadyRun()
            contour.clear()
            sounding.firstRead = .infinity
            tell(.corrected)
            return
        }
        // It began where the old pitch was read no more: a slow attack is misread until it holds still. A glide is none.
        let left = max(sounding.lastRead, run.first - constants.search * rate)
        let read = (sounding.hasGlided ? run.first : min(left, run.first)) - constants.readingDelay * rate
        let start = min(dip ?? read, read)
        let (first, shown, startBefore) = (run.first, leaping, sounding.start)
        end(at: start)
        begin(at: start, key: mean, votes: PitchVotes(), onset: -1, shown: shown)
        (sounding.over, sounding.startBefore, sounding.read) = (center, startBefore, first)
        leaping = ShownNote()
        tellBegun(shown)
    }

    /// For how many seconds a pitch so many keys away must stay.
    ///
    /// - Parameter isParted: whether the level tells too that one note gave way to another, as it does not in a misreading.
    @_noLocks private mutating func needed(_ distance: Double, isParted: Bool) -> Double {
        if KeyScale.isMisreading(distance) { return isParted ? constants.legato : constants.octave }
        guard run.isLeap else { return constants.legato }
        return run.isConfirmed(constants) ? constants.confirmed : constants.leap
    }

    /// No note sounds: one may begin without an onset, or what rings may swell again.
    @_noLocks mutating func awaken(_ key: Double?) {
        let level = levels.level(0)
        guard let key else {
            run = SteadyRun()
            if ringing.isActive, seconds(since: ringing.lastVoiced) > constants.gap { ringing = RingingNote() }
            return
        }
        if ringing.isActive {
            ringing.lastVoiced = Double(now)
            ringing.lowest = min(ringing.lowest, level)
            let isSame = abs(key - ringing.key) < constants.departure || KeyScale.isMisreading(key - ringing.key)
            let hasRisen = level > ringing.lowest + constants.release
            if (isSame && !hasRisen) || level < ringing.level - 24 {
                run = SteadyRun()
                return
            }
        }
        guard !isInterrupted else { return }
        run.add(key, at: Double(now), still: constants.still)
        // A swell out of silence is shown sooner where what is new is the pitch that is read.
        let isSure = run.isConfirmed(constants)
        guard seconds(since: run.first) >= (isSure ? constants.leap : constants.legato) else {
            if isSure { showRun() }
            return
        }
        let (mean, first, shown) = (run.mean, run.first, leaping)
        let (old, startBefore) = (ringing.isActive ? ringing.key : -1, ringing.start)
        let read = first - constants.readingDelay * rate
        begin(
            at: boundary(before: read) ?? read, key: mean, votes: PitchVotes(), onset: -1, shown: shown)
        (sounding.over, sounding.startBefore, sounding.read) = (old, startBefore, first)
        leaping = ShownNote()
        tellBegun(shown)
    }
}
