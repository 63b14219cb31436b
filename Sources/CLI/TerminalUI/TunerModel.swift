public import Music

/// What a tuner's display shows: the sound of the last ten seconds and the player's wishes. No clock of its own: time is
/// the time of the sound, so that a recording and a microphone draw the same pictures.
public struct TunerModel: Sendable {
    /// Which part of the display has the most room.
    public enum View: String, Sendable, CaseIterable {
        /// The hand on its scale, and the trail.
        case needle
        /// Stripes that stand still when the pitch is right.
        case strobe
        /// The last ten seconds.
        case trail
    }

    /// A point of the trail.
    struct TrailPoint: Sendable {
        let seconds: Double
        let deviation: Double
    }

    /// The rules by which notes are found.
    public var finder: NoteFinder
    /// Which view is drawn.
    public var view = View.needle
    /// Whether the keys are listed.
    public var showsHelp = false
    /// The keys and what they do.
    public var keys: [KeyHelp] = []
    /// What stands at the top: reference, temperament, instrument.
    public var title = ""
    /// Whether the display stands still.
    public private(set) var isHeld = false
    /// Seconds of sound so far.
    public private(set) var seconds = 0.0
    /// The newest level.
    public private(set) var level = (-Double.infinity).decibels
    /// The pitch on the display: what sounds now, or what was heard last until it has faded.
    public var pitch: TunedNote.Pitch? { held.pitch }
    /// Whether `pitch` sounds now, or did a moment ago.
    public var isSounding: Bool { pitch != nil && held.fading == .sounding }
    /// What the numbers say: refreshed eight times a second, so that they can be read.
    public private(set) var shownCents = 0.0
    /// The standard error of `shownCents`; 0 when unknown.
    public private(set) var shownError = 0.0
    /// The frequency that belongs to `shownCents`.
    public private(set) var shownFrequency = 0.0.hertz
    /// The strings that were brought in tune, by their positions.
    public private(set) var doneStrings: Set<Int> = []
    /// Turns of the strobe since it began: the pitch error of the first partial, summed up over time.
    public private(set) var strobeTurns = 0.0
    private(set) var trail: [TrailPoint] = []
    /// Where the trail ends: it does not move while the display stands still.
    private(set) var trailEnd = 0.0
    private(set) var message: (text: String, until: Double)?

    private var held = HeldNote()
    private var loudest = (-Double.infinity).decibels
    private var lastLevel = -Double.infinity
    private var lastShown = -Double.infinity
    private var isInTune = false
    private var steadySince: (seconds: Double, inTune: Bool)?
    private var sum = (cents: 0.0, error: 0.0, count: 0)

    /// 8 a second: numbers that change faster cannot be read.
    private static let refresh = 0.125
    /// The trail's length.
    static let trailSeconds = 10.0
    /// Half a second: a note that only passes through is not in tune.
    private static let doneAfter = 0.5

    /// A display on which nothing was heard.
    public init(finder: NoteFinder) { self.finder = finder }

    /// Takes a reading in.
    public mutating func hear(_ note: TunedNote) {
        let step = max(0, min(0.1, note.seconds - seconds))
        seconds = note.seconds
        guard !isHeld else { return }
        trailEnd = seconds
        loudest = max(loudest, note.level)
        if seconds - lastLevel >= Self.refresh {
            (level, loudest, lastLevel) = (loudest, (-Double.infinity).decibels, seconds)
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
        trail.append(TrailPoint(seconds: seconds, deviation: heard.deviation.value))
        trim()
        sum = (sum.cents + heard.deviation.value, sum.error + note.standardError.value, sum.count + 1)
        if seconds - lastShown >= Self.refresh {
            shownCents = sum.cents / Double(sum.count)
            shownError = sum.error / Double(sum.count)
            shownFrequency = heard.target.raised(by: shownCents.cents)
            lastShown = seconds
            sum = (0, 0, 0)
        }
        // In tune from 2 cents, no longer from 3: the word does not flicker at the border.
        isInTune = abs(shownCents) <= (isInTune && !isNew ? 3 : 2)
        markDone(heard)
    }

    /// Flat, sharp or in tune; `nil` when nothing is on the display.
    public var word: String? {
        guard pitch != nil else { return nil }
        return isInTune ? "in tune" : shownCents < 0 ? "flat" : "sharp"
    }

    /// The word, in the past tense once the note has begun to fade.
    var phrase: String? { word.map { isSounding ? $0 : "was " + $0 } }

    /// How far `pitch` has faded.
    var fading: Fading { pitch == nil ? .sounding : held.fading }

    /// The ink that goes with the word.
    public var ink: Ink {
        guard pitch != nil else { return .dim }
        return fading.ink(isInTune ? .inTune : abs(shownCents) < 15 ? .near : .off)
    }

    /// The hand's place: where the needle points now.
    public var needleCents: Double? { pitch?.deviation.value }

    /// Stops the display, or lets it go on.
    public mutating func toggleHold() {
        isHeld.toggle()
        say(isHeld ? "held: space goes on" : "listening")
    }

    /// Shows what a key did, for two seconds.
    public mutating func say(_ text: String) { message = (text, seconds + 2) }

    /// Shows that nothing is heard any more, and why, until something else is said.
    public mutating func fallSilent(_ reason: String) {
        held.fade()
        steadySince = nil
        message = (reason, .infinity)
    }

    /// What a key did, while it is to be seen.
    public var currentMessage: String? { message.flatMap { $0.until > seconds ? $0.text : nil } }

    /// Forgets what was heard, as after a change of the rules.
    public mutating func forget() {
        held.forget()
        isInTune = false
        trail.removeAll()
        doneStrings.removeAll()
        lastShown = -.infinity
        sum = (0, 0, 0)
    }

    fileprivate mutating func rename(to renamed: TunedNote.Pitch?) { held.pitch = renamed }

    /// No string is done any more, as after a change of the reference.
    public mutating func forgetDone() { doneStrings.removeAll() }

    /// A string is done when it has been in tune for half a second, and no longer when it has been out of tune for as long:
    /// tuning one can pull the others.
    private mutating func markDone(_ heard: TunedNote.Pitch) {
        guard let string = heard.string else { return }
        if steadySince?.inTune != isInTune { steadySince = (seconds, isInTune) }
        guard let since = steadySince?.seconds, seconds - since >= Self.doneAfter else { return }
        // No ear tells strings of one pitch apart, unless the player says which one sounds.
        let notes = finder.strings?.strings ?? []
        let alike = finder.lockedString != nil ? [string] : notes.indices.filter { notes[$0] == heard.note }
        if isInTune { doneStrings.formUnion(alike) } else { doneStrings.subtract(alike) }
    }

    private mutating func trim() {
        guard let first = trail.first, first.seconds < trailEnd - Self.trailSeconds else { return }
        // Now and then, and not one by one: each removal moves all that stays.
        if first.seconds < trailEnd - Self.trailSeconds - 1 {
            trail.removeAll { $0.seconds < trailEnd - Self.trailSeconds }
        }
    }
}

extension TunerModel {
    /// Names what is on the display anew, as after the naming changed.
    public mutating func rename() {
        guard let shown = pitch else { return }
        var plain = finder
        plain.clockError = 0
        rename(to: plain.pitch(of: shown.frequency))
    }
}
