internal import CRealtime
public import Music

/// A note that was heard: when it began and ended, its pitch, and how it was played.
public struct TranscribedNote: Sendable, BitwiseCopyable {
    /// Counts the notes of a stream, from 0, with those that turn out to be none.
    public var number: Int
    /// When the note begins, in samples from the start of the stream: usually between two.
    public var start: Double
    /// When the note ends; while it sounds, the end of the newest samples.
    public var end: Double
    /// The key nearest to the pitch as it was known 0.2 s after the beginning, the mean of the readings until then; of a
    /// vibrato, nearest to the middle of its swing.
    public var note: Note
    /// The mean pitch as the frequency of the first partial.
    public var frequency: Hertz
    /// The deviation of the mean pitch from `note`; positive is sharp. More than 50 cents where that became known, or the note
    /// glided, later than 0.2 s after the beginning.
    public var deviation: Cents
    /// The standard error of the mean pitch.
    public var standardError: Cents
    /// How many cycles of vibrato a second has; 0 without vibrato.
    public var vibratoRate: Hertz
    /// How far the pitch swings to either side of its mean; 0 without vibrato.
    public var vibratoDepth: Cents
    /// The highest level of the first 0.1 s, as a power relative to full scale.
    public var level: Decibels

    @_noLocks internal init() {
        (number, start, end, note) = (0, 0, 0, Note(midi: 69))
        (frequency, deviation, standardError) = (Hertz(0), Cents(0), Cents(0))
        (vibratoRate, vibratoDepth, level) = (Hertz(0), Cents(0), Decibels(-120))
    }

    /// The velocity of a MIDI note of this level, 1 to 127: 127 stands for -6 dB of full scale, and half the velocity for
    /// 12 dB less.
    /// - SeeAlso: General MIDI 2, RP-024, where the amplitude goes with the square of the velocity.
    public var velocity: Int {
        @_noLocks get {
            let velocity = 127 * rt_pow(10, (level.value - Self.fullVelocity) / 40)
            return Int(min(127, max(1, rt_round(velocity))))
        }
    }

    /// The mean power of a sine of amplitude 0.7, which is as loud as recordings are made.
    private static var fullVelocity: Double { @_noLocks get { -6 } }
}

/// What is told of a note.
public struct NoteEvent: Sendable, BitwiseCopyable {
    /// Which of the reports this is.
    @frozen
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// A note has begun. Its key and its beginning may still be corrected.
        case began
        /// The key or the beginning of the note was not right. Told at most 0.2 s after the beginning.
        case corrected
        /// The note is over; everything about it is final. Its key and its beginning are those that were told last.
        case ended
        /// What was told as a note was none. Told at most 0.2 s after the beginning.
        case withdrawn
    }

    /// Which of the reports this is.
    public var kind: Kind
    /// The note as it is known now.
    public var note: TranscribedNote
    /// How many samples had come in when this was told; the difference from `note.start` is the delay.
    public var toldAt: Int64

    @_noLocks internal init(_ kind: Kind, _ note: TranscribedNote, toldAt: Int64) {
        (self.kind, self.note, self.toldAt) = (kind, note, toldAt)
        // What sounds from the first sample on may have been placed before it.
        self.note.start = max(0, note.start)
    }
}
