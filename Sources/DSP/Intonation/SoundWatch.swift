internal import Music
internal import Pitch

/// Finds out why sound is no note: steady hum, several notes at once, another instrument; and whether it is too quiet or
/// clips.
///
/// It sees readings only. A note is announced by an attack or a rise in level; hum is not, since it has been there all the
/// time. A low pitch at a mains frequency that nothing announced is hum, and so is an announced one whose level stands still.
package struct SoundWatch: Sendable {
    private var history = LevelHistory()
    /// Whether an attack or a rise has come since the last pitch.
    private var isAnnounced = false
    /// The pitch that goes on: the one that was announced, or that nothing speaks against.
    private var known: Hertz?
    /// Since when every pitch has been at a mains frequency, without an attack.
    private var mainsSince: Double?
    /// Whether a chord goes on that was recognised as one.
    private var isChord = false
    /// Since when a clear note has been heard in the chord.
    private var clearSince: Double?
    private var hasVoice = false
    private var quietBlocks = 0
    private var tooQuietUntil = -Double.infinity
    private var clippingUntil = -Double.infinity

    /// Whether the newest sound has been found to be that of several strings, or of several other notes.
    private var isStrummed = false
    private var hasOtherNotes = false

    /// How long a condition of a moment is shown, in seconds.
    private static let shown = 2.0
    /// The clarity that nine of ten readings of single strings reach on the evaluation set, and one of ten of strums.
    private static let clear = 0.9
    /// How long a note must be clear to end a chord: while a chord dies away, single strings stand out for up to 0.2 s.
    private static let clearTime = 0.3
    /// A pitch that follows from the one before: a vibrato's swing, but no semitone.
    private static let step = 60.cents

    package init() {}

    /// Tells that samples reached full scale at this time.
    package mutating func clip(at time: Duration) { clippingUntil = time.inSeconds + Self.shown }

    /// Tells what the fit of all strings makes of the newest sound: of several strings, the pitch of a single note is none.
    package mutating func hear(_ sound: TunedStrum) {
        (isStrummed, hasOtherNotes) = (sound.isStrum, sound.hasOtherNotes)
    }

    /// Judges the next reading.
    ///
    /// - Returns: the reading with its condition; without a pitch if it is hum.
    package mutating func judge(_ note: TunedNote) -> TunedNote {
        let (now, reading) = (note.time.inSeconds, note.reading)
        let isVoiced = reading.state == .voiced
        let isBelow = note.condition == .noString(isBelow: true)
        // On the evaluation set, strums have a clarity of 0.6 and more, and noise of 0.4.
        let isTonal = isBelow || reading.state == .unvoiced && reading.clarity > 0.55
        let power = reading.level.value.isFinite ? reading.level.power : 0
        if isVoiced { hasVoice = true }
        if history.add(power, isTonal: isTonal, at: now) { closeBlock(at: now) }
        if reading.state == .attack { announce() }
        if reading.state == .attack || reading.state == .silence { (isStrummed, hasOtherNotes) = (false, false) }
        let hum = isVoiced ? humFrequency(reading, at: now) : nil
        var judged = note
        if hum != nil {
            judged.deny(.hum(hum))
        } else if isSeveral(note, at: now) || isOfStrum(note) {
            judged.deny(.severalNotes)
        } else if note.pitch == nil, note.condition == nil, isSteadyHum(reading) {
            judged.deny(.hum(nil))
        }
        if clippingUntil > now {
            judged.condition = .clipping
        } else if tooQuietUntil > now, judged.pitch == nil, judged.condition == nil {
            judged.condition = .tooQuiet
        }
        return judged
    }

    private mutating func announce() { (isAnnounced, known, mainsSince, isChord) = (true, nil, nil, false) }

    private mutating func closeBlock(at now: Double) {
        let (lowest, _) = history.range(ofLast: 20)
        // 6 dB over the quietest moment of the last second.
        if history.newest > 4 * lowest { announce() }
        // 8 dB over the quietest moment of three seconds, for 0.15 s, and still from -80 to -55 dB.
        let floor = history.range(ofLast: 60).lowest
        let isQuietSound = history.newest > max(6.3 * floor, 1e-8) && history.newest < 3e-6
        quietBlocks = isQuietSound && !hasVoice ? quietBlocks + 1 : 0
        if quietBlocks >= 3 { tooQuietUntil = now + Self.shown }
        if hasVoice { tooQuietUntil = -.infinity }
        hasVoice = false
    }

    /// The mains frequency if a pitch is hum.
    private mutating func humFrequency(_ reading: PitchReading, at now: Double) -> Hertz? {
        let pitch = reading.frequency
        let isLow = Decibels(power: history.newest) < MainsHum.loudest
        let isKnown = isAnnounced || known.map { abs(Cents(from: $0, to: pitch).value) <= Self.step.value } ?? false
        guard isKnown else {
            if isLow, let mains = MainsHum.frequency(near: pitch, within: Self.step) { return mains }
            (known, mainsSince) = (pitch, nil)
            return nil
        }
        (isAnnounced, known) = (false, pitch)
        let reach = Cents(MainsHum.gridError.value + min(25, 3 * reading.standardError.value))
        guard isLow, let mains = MainsHum.frequency(near: pitch, within: reach) else {
            mainsSince = nil
            return nil
        }
        let since = mainsSince ?? now
        mainsSince = since
        guard now - since >= 0.75, history.isSteady(overLast: 15) else { return nil }
        known = nil
        return mains
    }

    /// Whether a pitch is none because the fit of all strings has found several. A clear note beside other notes stays one.
    private func isOfStrum(_ note: TunedNote) -> Bool {
        note.pitch != nil && (isStrummed || hasOtherNotes && note.reading.clarity < Self.clear)
    }

    /// Whether a chord sounds: from when it is recognised until something is struck, a note is clear, or it is over.
    private mutating func isSeveral(_ note: TunedNote, at now: Double) -> Bool {
        let isClear = note.pitch != nil && note.reading.clarity >= Self.clear
        clearSince = isClear ? clearSince ?? now : nil
        if isChord {
            let isNote = clearSince.map { now - $0 >= Self.clearTime } ?? false
            if isNote || note.reading.state == .silence || history.isSteady(overLast: 20) { isChord = false }
        } else if note.pitch == nil, beginsChord() {
            isChord = true
        }
        return isChord
    }

    /// A tonal sound without a note for 0.4 s that is louder than hum, and decays or has begun within three seconds, as hum
    /// does not.
    private func beginsChord() -> Bool {
        let isLoud = Decibels(power: history.newest) >= MainsHum.loudest
        guard isLoud, history.tonalShare(ofLast: 8) >= 0.7, !history.isSteady(overLast: 20) else { return false }
        let (lowest, highest) = history.range(ofLast: 60)
        return highest > 1.4 * history.newest || history.newest > 10 * lowest
    }

    /// A periodic sound at a constant, low level for two seconds, which the engine has learnt as background.
    private func isSteadyHum(_ reading: PitchReading) -> Bool {
        reading.state == .unvoiced && reading.clarity > 0.8 && Decibels(power: history.newest) < MainsHum.loudest
            && history.isSteady(overLast: 40)
    }
}
