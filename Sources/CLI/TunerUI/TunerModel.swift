package import Intonation
package import Music
internal import Pitch
package import TerminalUI

/// What the tuner's display shows: the last ten seconds of sound and the player's settings.
///
/// It has no clock of its own. Time is the time of the sound, so that a recording and a microphone draw the same pictures.
package struct TunerModel: Sendable {
    /// The part of the display that gets the most room.
    package enum View: String, Sendable, CaseIterable {
        /// The needle, and the trail below it.
        case needle
        /// Stripes that stand still when the pitch is right.
        case strobe
        case trail
        /// The trail on an axis of notes, for singers.
        case notes
    }

    struct TrailPoint: Sendable {
        let seconds: Double
        let cents: Double
        /// The nearest key, at concert pitch.
        let key: Note
    }

    package var finder: NoteFinder
    package var view = View.needle
    package var showsHelp = false
    package var keys: [KeyHelp] = []
    /// The top line (reference, temperament, instrument), from the longest text to the shortest.
    package var titles: [String] = []
    /// Up to where a note is in tune.
    package var tolerance: Cents {
        get { shown.tolerance }
        set { shown.tolerance = newValue }
    }
    /// What the menu shows while it is open.
    package var menu: TunerMenu?
    /// How fast number and word follow the pitch.
    package var response: Response {
        get { shown.response }
        set { shown.response = newValue }
    }
    /// Whether the display is held still.
    package private(set) var isHeld = false
    package private(set) var seconds = 0.0
    /// The highest level since the last refresh.
    package private(set) var level = Decibels(-.infinity)
    /// The note on the display: the one that sounds, or the last one until it has faded.
    package var pitch: TunedNote.Pitch? { held.pitch }
    /// Whether `pitch` sounds now, or did a moment ago.
    package var isSounding: Bool { pitch != nil && fading == .sounding }
    /// The deviation as a number.
    var shownCents: Double { shown.cents }
    /// The standard error of `shownCents`; 0 when unknown.
    var shownError: Double { shown.error }
    /// The frequency that belongs to `shownCents`.
    package var shownFrequency: Hertz { shown.frequency }
    /// The strings that have been tuned.
    private var ticks = StringTicks()
    /// The positions of the strings that have been tuned.
    package var doneStrings: Set<Int> { ticks.done }
    /// Whether every string has been tuned.
    package var isAllInTune: Bool { finder.strings.map { ticks.done.count == $0.strings.count } ?? false }
    /// Turns of the strobe since the start: the integral of the pitch error in hertz.
    package private(set) var strobeTurns = 0.0
    private(set) var trail: [TrailPoint] = []
    /// The time at which the trail ends. It stops while the display is held.
    private(set) var trailEnd = 0.0
    /// All strings side by side.
    package var board = StrumBoard()
    private var message: (text: String, until: Double)?

    private var held = HeldNote()
    private var loudest = Decibels(-.infinity)
    private var lastLevel = -Double.infinity
    private var shown = ShownPitch()
    var verdict: TuningVerdict? { shown.verdict }
    private var condition: (advice: String, until: Double)?

    static let trailSeconds = 10.0
    /// The window of a strum from which on its strings get their ticks: as long as a single string has to be in tune.
    private static let shortestTicked = Duration.milliseconds(500)

    package init(finder: NoteFinder) { self.finder = finder }

    /// The only top line.
    package var title: String {
        get { titles.first ?? "" }
        set { titles = [newValue] }
    }

    package mutating func hear(_ note: TunedNote) {
        let now = note.time.inSeconds
        let step = max(0, min(0.1, now - seconds))
        seconds = now
        guard !isHeld else { return }
        trailEnd = seconds
        loudest = max(loudest, note.reading.level)
        if seconds - lastLevel >= ShownPitch.refresh {
            (level, loudest, lastLevel) = (loudest, Decibels(-.infinity), seconds)
        }
        // A second longer than the condition, so that the advice does not flicker. Several notes are what a strum is.
        let isOfStrum =
            switch note.condition {
            case .severalNotes, .noString: showsBoard
            default: false
            }
        if !isOfStrum, let advice = note.condition?.advice(hasStrings: finder.strings != nil) {
            condition = (advice, seconds + 1)
        }
        let (before, wasSounding) = (pitch, isSounding)
        guard held.hear(note), let heard = pitch else {
            ticks.pause()
            return trim()
        }
        let isNew = before?.note != heard.note || before?.string != heard.string || !wasSounding
        if isNew { ticks.pause() }
        strobeTurns += (heard.frequency.value - heard.target.value) * step
        trail.append(TrailPoint(seconds: seconds, cents: heard.deviation.value, key: heard.note))
        trim()
        shown.hear(heard, error: note.reading.standardError, at: seconds, isNew: isNew)
        tick(heard)
    }

    /// Whether all strings are shown side by side.
    package var showsBoard: Bool { board.isShown && finder.lockedString == nil }

    /// Adds a picture of a strum, or of another sound.
    package mutating func hear(_ sound: TunedStrum) {
        guard !isHeld else { return }
        board.hear(sound, at: seconds)
        guard sound.isStrum else { return }
        condition = nil
        ticks.pause()
        guard sound.window >= Self.shortestTicked else { return }
        let wasAllInTune = isAllInTune
        for string in sound.strings {
            if let verdict = string.verdict { ticks.hear(verdict, ofStrummed: string.position) }
        }
        if isAllInTune, !wasAllInTune { say("all in tune") }
    }

    /// `flat`, `sharp` or `in tune`; `nil` when the display is empty.
    package var word: String? { pitch == nil ? nil : verdict?.rawValue }

    /// The word, in the past tense once the note has begun to fade.
    var phrase: String? { word.map { isSounding ? $0 : "was " + $0 } }

    var fading: Fading { pitch == nil ? .sounding : Fading(strength: held.strength) }

    package var ink: Ink {
        guard pitch != nil, let verdict else { return .dim }
        return fading.ink(shade(shownCents, verdict))
    }

    /// The ink of a deviation in cents.
    func shade(_ cents: Double, _ verdict: TuningVerdict) -> Ink {
        verdict == .inTune ? .inTune : abs(cents) < max(15, 3 * tolerance.value) ? .near : .off
    }

    var needleCents: Double? { pitch?.deviation.value }

    /// Holds the display still, or lets it go on.
    package mutating func toggleHold() {
        isHeld.toggle()
        say(isHeld ? "held; space resumes" : "listening")
    }

    package mutating func say(_ text: String) { message = (text, seconds + 2) }

    /// Shows why nothing is heard any more, until the next message.
    package mutating func fallSilent(_ reason: String) {
        held.fade()
        ticks.pause()
        message = (reason, .infinity)
    }

    /// The newest message, why nothing is heard, or advice beside a note. Without a note, the invitation has the advice.
    var currentMessage: String? {
        if let message, message.until > seconds { return message.text }
        return pitch == nil ? nil : advice
    }

    /// What is wrong with the sound, and what to do.
    var advice: String? { condition.flatMap { $0.until > seconds ? $0.advice : nil } }

    /// What to do while no note is shown.
    var invitation: String { advice ?? (isAllInTune ? "all in tune" : "play a note") }

    /// Removes what was heard, as after a change of the instrument.
    package mutating func forget() {
        held.forget()
        shown.forget()
        trail.removeAll()
        ticks = StringTicks()
        board.forget()
        condition = nil
    }

    /// Names the note on the display again, after the naming has changed.
    package mutating func rename() { held.rename(by: finder) }

    /// Counts no string as tuned, as after a change of the reference.
    package mutating func forgetDone() {
        ticks = StringTicks()
        board.forget()
    }

    private mutating func tick(_ heard: TunedNote.Pitch) {
        // While a strum sounds, the pitch is that of a chord.
        guard let string = heard.string, let verdict, !board.isStrummed else { return }
        // Strings of the same pitch cannot be told apart, unless the player has chosen one.
        let notes = finder.strings?.strings ?? []
        let alike = finder.lockedString != nil ? [string] : notes.indices.filter { notes[$0] == heard.note }
        board.hear(shownCents, error: shownError, verdict, of: alike, at: seconds)
        let wasAllInTune = isAllInTune
        ticks.hear(verdict, shownCents.cents, of: alike, at: seconds)
        if isAllInTune, !wasAllInTune { say("all in tune") }
    }

    /// Removes points older than the trail, once a second rather than one by one: each removal moves all others.
    private mutating func trim() {
        let start = trailEnd - Self.trailSeconds
        guard let first = trail.first, first.seconds < start - 1 else { return }
        trail.removeAll { $0.seconds < start }
    }
}
