package import Intonation
package import Music
internal import Pitch

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
    }

    struct TrailPoint: Sendable {
        let seconds: Double
        let cents: Double
    }

    package var finder: NoteFinder
    package var view = View.needle
    package var showsHelp = false
    package var keys: [KeyHelp] = []
    /// The top line: reference, temperament, instrument.
    package var title = ""
    /// Whether the display is held still.
    package private(set) var isHeld = false
    package private(set) var seconds = 0.0
    /// The highest level since the last refresh.
    package private(set) var level = Decibels(-.infinity)
    /// The note on the display: the one that sounds, or the last one until it has faded.
    package var pitch: TunedNote.Pitch? { held.pitch }
    /// Whether `pitch` sounds now, or did a moment ago.
    package var isSounding: Bool { pitch != nil && fading == .sounding }
    /// The deviation as a number, averaged over an eighth of a second so that it can be read.
    private(set) var shownCents = 0.0
    /// The standard error of `shownCents`; 0 when unknown.
    private(set) var shownError = 0.0
    /// The frequency that belongs to `shownCents`.
    package private(set) var shownFrequency = 0.hertz
    /// The positions of the strings that have been tuned.
    package private(set) var doneStrings: Set<Int> = []
    /// Turns of the strobe since the start: the integral of the pitch error in hertz.
    package private(set) var strobeTurns = 0.0
    private(set) var trail: [TrailPoint] = []
    /// The time at which the trail ends. It stops while the display is held.
    private(set) var trailEnd = 0.0
    private var message: (text: String, until: Double)?

    private var held = HeldNote()
    private var loudest = Decibels(-.infinity)
    private var lastLevel = -Double.infinity
    private var lastShown = -Double.infinity
    private(set) var verdict: TuningVerdict?
    private var steadySince: (seconds: Double, inTune: Bool)?
    private var sum = (cents: 0.0, error: 0.0, count: 0)

    /// 8 times a second: numbers that change faster cannot be read.
    private static let refresh = 0.125
    static let trailSeconds = 10.0
    /// Half a second: a note that glides through the target is not in tune.
    private static let doneAfter = 0.5

    package init(finder: NoteFinder) { self.finder = finder }

    package mutating func hear(_ note: TunedNote) {
        let now = note.time.inSeconds
        let step = max(0, min(0.1, now - seconds))
        seconds = now
        guard !isHeld else { return }
        trailEnd = seconds
        loudest = max(loudest, note.reading.level)
        if seconds - lastLevel >= Self.refresh {
            (level, loudest, lastLevel) = (loudest, Decibels(-.infinity), seconds)
        }
        let (before, wasSounding) = (pitch, isSounding)
        guard held.hear(note), let heard = pitch else {
            steadySince = nil
            return trim()
        }
        let isNew = before?.note != heard.note || before?.string != heard.string || !wasSounding
        if isNew {
            sum = (0, 0, 0)
            lastShown = -.infinity
            steadySince = nil
        }
        strobeTurns += (heard.frequency.value - heard.target.value) * step
        trail.append(TrailPoint(seconds: seconds, cents: heard.deviation.value))
        trim()
        sum = (sum.cents + heard.deviation.value, sum.error + note.reading.standardError.value, sum.count + 1)
        if seconds - lastShown >= Self.refresh {
            shownCents = sum.cents / Double(sum.count)
            shownError = sum.error / Double(sum.count)
            shownFrequency = heard.target.raised(by: shownCents.cents)
            lastShown = seconds
            sum = (0, 0, 0)
        }
        verdict = TuningVerdict(shownCents.cents, after: isNew ? nil : verdict)
        markDone(heard)
    }

    /// `flat`, `sharp` or `in tune`; `nil` when the display is empty.
    package var word: String? { pitch == nil ? nil : verdict?.rawValue }

    /// The word, in the past tense once the note has begun to fade.
    var phrase: String? { word.map { isSounding ? $0 : "was " + $0 } }

    var fading: Fading { pitch == nil ? .sounding : Fading(strength: held.strength) }

    package var ink: Ink {
        guard pitch != nil, let verdict else { return .dim }
        return fading.ink(Self.ink(shownCents, verdict))
    }

    /// The ink of a deviation in cents.
    static func ink(_ cents: Double, _ verdict: TuningVerdict) -> Ink {
        verdict == .inTune ? .inTune : abs(cents) < 15 ? .near : .off
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
        steadySince = nil
        message = (reason, .infinity)
    }

    var currentMessage: String? { message.flatMap { $0.until > seconds ? $0.text : nil } }

    /// Removes what was heard, as after a change of the instrument.
    package mutating func forget() {
        held.forget()
        verdict = nil
        trail.removeAll()
        doneStrings.removeAll()
        lastShown = -.infinity
        sum = (0, 0, 0)
    }

    /// Names the note on the display again, after the naming has changed.
    package mutating func rename() { held.rename(by: finder) }

    /// Counts no string as tuned, as after a change of the reference.
    package mutating func forgetDone() { doneStrings.removeAll() }

    /// Counts a string as tuned after half a second in tune, and no longer as tuned after half a second out of tune:
    /// tuning one string can detune the others.
    private mutating func markDone(_ heard: TunedNote.Pitch) {
        guard let string = heard.string else { return }
        let isInTune = verdict == .inTune
        if steadySince?.inTune != isInTune { steadySince = (seconds, isInTune) }
        guard let since = steadySince?.seconds, seconds - since >= Self.doneAfter else { return }
        // Strings of the same pitch cannot be told apart, unless the player has chosen one.
        let notes = finder.strings?.strings ?? []
        let alike = finder.lockedString != nil ? [string] : notes.indices.filter { notes[$0] == heard.note }
        if isInTune { doneStrings.formUnion(alike) } else { doneStrings.subtract(alike) }
    }

    /// Removes points older than the trail, once a second rather than one by one: each removal moves all others.
    private mutating func trim() {
        let start = trailEnd - Self.trailSeconds
        guard let first = trail.first, first.seconds < start - 1 else { return }
        trail.removeAll { $0.seconds < start }
    }
}
