internal import CRealtime
internal import Music
internal import Pitch
internal import Realtime
internal import Rhythm

/// Makes notes of onsets and pitch readings.
///
/// 1. An onset waits (`PendingNote`) until enough readings agree on a pitch. Where it is that of the note that sounds, the
///    onset's strength and the course of the level tell whether it was struck again.
/// 2. A pitch that leaves the note that sounds and holds still is a note without an onset (`SteadyRun`); a glide is none, and
///    an octave has to stay longer, as a misreading does not.
/// 3. A note is over where no pitch is read any more, where its level falls much faster than before, or where the next begins.
///
/// Its methods are mutating, those that only read, too, as those of `StrumRefinement` are: it builds in half the time.
internal struct NoteDecider: ~Copyable, Sendable {
    let constants: SegmenterConstants
    let reference: ReferencePitch
    let rate: Double
    var levels: LevelTrack
    var contour: PitchContour
    var sounding = SoundingNote()
    /// The note before, whose end is told once it is known where the note that sounds begins.
    var ended = EndedNote()
    /// Where the newest note ends that was told to be over, in samples.
    private var lastEnd = 0.0
    var ringing = RingingNote()
    /// The notes before, which may ring on too.
    var recent = RecentNotes()
    var run = SteadyRun()
    /// The onset whose note is not known yet, and the next one, which readings still come too early for.
    var pending = PendingNote(), following = PendingNote()
    /// A note without an onset that is shown while its readings are still too few, and where those begin.
    var leaping = ShownNote()
    var leapingSince = 0.0
    /// The pitch that is new under the note that sounds.
    var emerging = EmergingPitch()
    /// The newest readings in keys, oldest first; 0 for none.
    private(set) var course = InlineArray<6, Double>(repeating: 0)
    var sway: PitchSway
    var events: BoundedQueue<NoteEvent>
    /// Notes so far.
    var count = 0
    /// Samples so far.
    var now: Int64 = 0

    init(sampleRate: Hertz, hop: Int, reference: ReferencePitch, constants: SegmenterConstants) {
        (rate, self.reference, self.constants) = (sampleRate.value, reference, constants)
        levels = LevelTrack(hopSeconds: Double(hop) / sampleRate.value)
        contour = PitchContour(hopSeconds: Double(hop) / sampleRate.value)
        sway = PitchSway(hopSeconds: Double(hop) / sampleRate.value)
        let filler = NoteEvent(.began, TranscribedNote(), toldAt: 0)
        events = BoundedQueue(capacity: 256, filler: filler)
    }

    @_noLocks mutating func reset() {
        levels.reset()
        contour.clear()
        sway.reset()
        (sounding, ringing, recent, run) = (SoundingNote(), RingingNote(), RecentNotes(), SteadyRun())
        course = InlineArray<6, Double>(repeating: 0)
        leaping = ShownNote()
        emerging = EmergingPitch()
        (ended, lastEnd) = (EndedNote(), 0)
        (pending, following, count, now) = (PendingNote(), PendingNote(), 0, 0)
        events.removeAll()
    }

    @_noLocks mutating func nextEvent() -> NoteEvent? { events.pop() }
    var dropped: Int { @_noLocks get { events.dropped } }

    @_noLocks mutating func hear(_ reading: PitchReading) {
        now = reading.frame
        if !sounding.isActive || sounding.isSharp || sounding.isPlaced || isWithdrawalDue { tellEnded() }
        levels.add(reading.level.power)
        var key: Double?
        if case .voiced = reading.state, reading.frequency.value > 0 {
            let read = KeyScale.key(reading.frequency.value)
            if reading.standardError.value >= 100 * constants.leastError {
                // Too vague to name a note, yet not the end of one: after a glide readings stay vague for 0.2 s.
                let isNear = sounding.isActive && abs(read - sounding.key) < constants.departure
                if isNear { sounding.lastVoiced = Double(now) }
            } else if read > constants.lowestKey, read < constants.highestKey {
                key = read
            }
        }
        for n in 0..<5 { course[n] = course[n + 1] }
        course[5] = key ?? 0
        sway.add(key ?? 0)
        if following.isActive {
            following.loudest = max(following.loudest, levels.level(0))
            if seconds(since: following.frame) > constants.blind { shift() }
        }
        if pending.isActive { consider(key) }
        if sounding.isActive {
            follow(key, reading)
            if sounding.isActive, isLastChance { nameByMiddle() }
        } else {
            awaken(key)
        }
        // Its readings have come to nothing.
        guard leaping.isActive else { return }
        if emerging.isShown {
            if run.count > 0, leaping.isKey(run.mean) {
                (emerging.isShown, leapingSince) = (false, run.first)
            }
        } else if run.count == 0 || run.first != leapingSince {
            dismissRun()
        }
        if leaping.isActive, isCorrectionDue(leaping.start) {
            emerging.isShown = false
            dismissRun()
        }
    }

    /// Whether the pitch has moved one way through the newest readings, 27 ms, by more than `still`: that is no note yet.
    var isGliding: Bool {
        @_noLocks mutating get {
            let whole = course[5] - course[0]
            guard course[0] > 0, abs(whole) > constants.still else { return false }
            for n in 0..<5 {
                let step = course[n + 1] - course[n]
                if course[n + 1] <= 0 || step * whole <= 0 || abs(step) > constants.still { return false }
            }
            return true
        }
    }

    /// The sound is over.
    @_noLocks mutating func finish() {
        if following.isActive { shift() }
        if pending.isActive { settle() }
        if sounding.isActive { end(at: min(Double(now), sounding.lastVoiced)) }
        tellEnded()
        dismissRun()
        (pending, ringing, run) = (PendingNote(), RingingNote(), SteadyRun())
    }

    // MARK: Notes

    /// Whether the newest reading has leapt away from the one before, as no glide and no vibrato does in a hop.
    var hasLeapt: Bool {
        @_noLocks mutating get { course[5] > 0 && (course[4] <= 0 || abs(course[5] - course[4]) > constants.departure) }
    }

    /// Whether an onset waits whose note may sound by now.
    var isInterrupted: Bool {
        @_noLocks mutating get { pending.isActive && seconds(since: pending.frame) > constants.blind }
    }

    @_noLocks mutating func seconds(since frame: Double) -> Double { (Double(now) - frame) / rate }

    /// - Parameter shown: the note that is shown already. What is shown of its beginning stands where another one is too long ago.
    @_noLocks mutating func begin(
        at frame: Double, key: Double, votes: PitchVotes, onset: Int, shown: ShownNote
    ) {
        let start = shown.isActive && frame < oldestCorrection ? shown.start : frame
        sounding = SoundingNote()
        (sounding.number, sounding.onset) = (shown.isActive ? shown.number : count, onset)
        sounding.start = possible(start)
        // A note that was released is not told to be over yet.
        ended.end(before: sounding.start)
        (sounding.key, sounding.votes, sounding.lastVoiced) = (key, votes, Double(now))
        sounding.level = levels.level(0)
        if !shown.isActive { count += 1 }
        contour.clear()
        run = SteadyRun()
        ringing = RingingNote()
    }

    /// The note that sounds ends; what is left of it may ring on.
    @_noLocks mutating func end(at frame: Double) {
        guard sounding.isActive else { return }
        tellEnded()
        var note = described
        // When it is told to be over it is too late to tell another key.
        keepTold(&note, within: .infinity)
        let end = sounding.released >= 0 ? min(frame, sounding.released) : frame
        // What was told too long ago to be withdrawn is a note.
        note.end = max(end, sounding.start + (mayBeCorrected ? 0 : constants.shortest * rate))
        // What was never read as a pitch, though no other note hid it, is noise, in which the new sound is always like some
        // key: of a room with nobody in it, 14 notes a minute.
        ended.isRead = isKnown || !mayBeCorrected
        (ended.isActive, ended.note) = (true, note)
        if ended.isNote(constants, rate) {
            recent.add(center, end: note.end)
            (ringing.isActive, ringing.key, ringing.lastVoiced) = (true, center, sounding.lastVoiced)
            (ringing.start, ringing.level, ringing.lowest) = (sounding.start, sounding.level, levels.level(0))
        }
        sounding = SoundingNote()
        run = SteadyRun()
        if isWithdrawalDue { tellEnded() }
    }

    /// Where a note may begin that is found to begin at a frame: after a note that was told to be over, and late enough for the one
    /// before to remain a note.
    @_noLocks private mutating func possible(_ frame: Double) -> Double {
        let least = ended.isActive && ended.isNote(constants, rate) ? constants.shortest * rate : 0
        return max(lastEnd, ended.isActive ? max(ended.note.start + least, frame) : frame)
    }

    /// The note that sounds begins elsewhere, and the one before ends there if it was heard until then.
    @_noLocks mutating func move(to frame: Double) {
        let start = possible(frame)
        guard start != sounding.start, start >= oldestCorrection, mayBeCorrected else { return }
        ended.end(before: start, isAdjoining: ended.note.end >= sounding.start - 1)
        sounding.start = start
        tell(.corrected)
    }

    /// By how many keys the vibrato of the note before swings to either side, as long as it is not told to be over.
    var swingOver: Double { @_noLocks mutating get { ended.isActive ? ended.note.vibratoDepth.value / 100 : 0 } }

    /// Tells that the note before is over, or was none.
    @_noLocks mutating func tellEnded() {
        guard ended.isActive else { return }
        let isNote = ended.isNote(constants, rate)
        if isNote { lastEnd = ended.note.end }
        events.push(NoteEvent(isNote ? .ended : .withdrawn, ended.note, toldAt: now))
        ended = EndedNote()
    }

    /// The pitch about which the note that sounds has moved: of a vibrato, the first reading may be a turn of it.
    var center: Double { @_noLocks mutating get { contour.readings > 6 ? contour.meanKey : sounding.key } }

    @_noLocks mutating func tell(_ kind: NoteEvent.Kind) {
        let note = described
        sounding.told = note.note
        events.push(NoteEvent(kind, note, toldAt: now))
    }

    /// The note that sounds as it is known now.
    private var described: TranscribedNote {
        @_noLocks mutating get {
            var note = TranscribedNote()
            (note.number, note.start, note.end) = (sounding.number, sounding.start, Double(now))
            let result = contour.result()
            let isKnown = contour.readings >= 3
            let key = isKnown ? result.mean : sounding.key
            name(&note, key)
            keepTold(&note, within: constants.boundary)
            note.standardError = Cents(isKnown ? result.standardError : 100 * constants.leastError)
            (note.vibratoRate, note.vibratoDepth) = (Hertz(result.rate), Cents(result.depth))
            note.level = Decibels(sounding.level)
            return note
        }
    }

    /// Names a note by the reference pitch. What is decided does not depend on that.
    ///
    /// - Parameter key: the pitch in keys above MIDI's 0, A4 at 440 Hz.
    @_noLocks mutating func name(_ note: inout TranscribedNote, _ key: Double) {
        note.frequency = Hertz(KeyScale.frequency(key))
        let named = key + KeyScale.offset(reference: reference.a4.value)
        note.note = Note(midi: Int(rt_round(named)))
        note.deviation = Cents(100 * (named - rt_round(named)))
    }
}
