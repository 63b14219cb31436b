internal import CRealtime
internal import Music

/// The note that sounds, as far as it is known.
internal struct SoundingNote: BitwiseCopyable {
    /// Its number; -1 for none.
    var number = -1
    /// The number of the onset it began with; -1 for none.
    var onset = -1
    /// Where it begins and where a pitch was read last, in samples.
    var start = 0.0, lastVoiced = 0.0
    /// Where its attack was heard again, in samples; minus infinity where it was not.
    var secondAttack = -Double.infinity
    /// Where its own pitch was read first, in samples; infinity where it was not yet.
    var firstRead = Double.infinity
    /// Where the first of the readings is that told a note without an onset, in samples.
    var read = Double.infinity
    /// Where its own pitch was read last, in samples.
    var lastRead = 0.0
    /// Whether the pitch has glided since.
    var hasGlided = false
    /// By how many keys its vibrato swings to either side, and when that was found last, in samples.
    var swing = 0.0, swungAt = -Double.infinity
    /// The key that is shown.
    var key = 0.0
    /// The note that was told last; `nil` before it was. And whether that stands, whatever the mean of the readings is.
    var told: Note?
    var isNamed = false
    var votes = PitchVotes()
    var level = LevelTrack.none
    /// Whether a note before it may hide its pitch. And whether all that sounds was a tone when no reading had told that yet.
    var isHidden = false, isTone = false
    /// By how many decibels the level rose with the onset.
    var rise = 0.0
    /// Whether its onset is known to the millisecond, and whether its beginning was looked for in its own partials.
    var isSharp = false, isPlaced = false
    /// The level when its beginning was looked for, and whether it was looked for again.
    var placedLevel = 0.0, isPlacedAgain = false
    /// The key of the note before, which may ring on; -1 for none. And what was new after the onset.
    var before = -1.0
    /// The same whether this note has an onset or not, and where that began, in samples.
    var over = -1.0, startBefore = -Double.infinity
    /// Where the level was lowest between that and this one, in samples; minus infinity where it did not dip.
    var trough = -Double.infinity
    /// Where the level began to fall as that of a note that is released, in samples, and the lowest level since; -1 while it
    /// has not.
    var released = -1.0, lowest = 0.0
    /// Since when it has risen again from there, in samples; -1 while it has not.
    var swollen = -1.0
    var fresh = FreshPitch.Result()
    /// How often that was looked at.
    var looks = 0

    @_noLocks init() {}

    var isActive: Bool { @_noLocks get { number >= 0 } }

    /// Where its attack was heard last, in samples.
    var newestAttack: Double { @_noLocks get { max(start, secondAttack) } }
}

/// A note that is over, and is not told to be yet.
internal struct EndedNote: BitwiseCopyable {
    var isActive = false
    var note = TranscribedNote()
    /// Whether a pitch was read, or another note hid it.
    var isRead = false
    @_noLocks init() {}

    @_noLocks func isNote(_ constants: SegmenterConstants, _ rate: Double) -> Bool {
        isRead && note.end - note.start >= constants.shortest * rate
    }

    /// The next note begins at a frame: this one is over by then, and where the two adjoin it lasts until then.
    @_noLocks mutating func end(before frame: Double, isAdjoining: Bool = false) {
        let latest = max(note.start, frame)
        note.end = isAdjoining ? latest : min(note.end, latest)
    }
}

/// What still rings of a note that is over.
internal struct RingingNote: BitwiseCopyable {
    var isActive = false
    var key = 0.0
    /// Where it began, in samples.
    var start = 0.0
    /// The level of the note, and the lowest since it ended.
    var level = 0.0, lowest = 0.0
    var lastVoiced = 0.0
    @_noLocks init() {}
}
