/// The beginning of a note.
///
/// A note is told twice: as soon as it is certain that it began (`first`), 6 ms after its beginning in the median; and with its
/// final time (`refined`), 14 ms after its beginning in the median. Each `first` is followed by one `refined` with the same
/// `number`. A soft note that has no attack of its own is told by both at once: under one that rings up to 70 ms after its
/// beginning, or 0.12 s where only its partials show it among others; where only its pitch is another one 0.14 s after it, an
/// octave away 0.25 s. No note is told before an earlier one.
public struct Onset: Sendable, BitwiseCopyable {
    /// Which of the two reports this is.
    @frozen
    public enum Stage: UInt8, Sendable, BitwiseCopyable {
        /// A note has begun; its time is a guess, good to some milliseconds.
        case first
        /// The time is final.
        case refined
    }

    /// How a note begins.
    @frozen
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// Struck or plucked: the sound jumps, and its time is known to a fraction of a millisecond.
        case sharp
        /// Bowed, blown, or hidden under another sound: its beginning has a length.
        case soft
    }

    /// Counts the notes of a stream, from 0.
    public var number: Int
    /// First or refined.
    public var stage: Stage
    /// Sharp or soft; in a first report always `soft`, since it is not known yet.
    public var kind: Kind
    /// When the note begins, in samples from the start of the stream: usually between two.
    public var frame: Double
    /// How much new sound there is, in nepers of power averaged over frequency: 0.5 is faint, 3 a drum in silence.
    public var strength: Double
    /// The standard error of `frame`: two notes out of three lie within it.
    public var uncertainty: Duration { .nanoseconds(Int64((standardError * 1e9).rounded())) }
    /// How many samples had come in when this was told; the difference from `frame` is the delay.
    public var toldAt: Int64
    /// In seconds.
    internal var standardError: Double

    @_noLocks internal init() {
        (number, stage, kind, frame, strength) = (0, .first, .soft, 0, 0)
        (toldAt, standardError) = (0, 0)
    }
}
