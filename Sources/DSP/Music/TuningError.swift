/// What keeps a scale and a keyboard mapping from becoming a tuning.
public enum TuningError: Error, Sendable, Equatable {
    /// The scale's last pitch, or the mapping's formal octave, is not above 1/1, so that nothing repeats upward.
    case periodNotAbove(Cents)
    /// The mapping gives a frequency to a key that sounds nothing.
    case referenceUnmapped(Note)
    /// No key sounds anything between 1 Hz and 100 kHz.
    case noNotes
    /// There would be more notes than a tuner can tell apart.
    case tooManyNotes(limit: Int)
    /// The reference frequency is not one.
    case unsupportedReference(Hertz)

    /// What is wrong and what to do next, in one sentence.
    public var message: String {
        switch self {
        case .periodNotAbove(let period):
            "The scale repeats after \(fixedPoint(period.value)) cents, which is not upward; end it with a period such as 2/1."
        case .referenceUnmapped(let note):
            "The mapping gives a frequency to key \(note.midi) (\(note)), which sounds nothing; map that key or name another."
        case .noNotes:
            "The mapping leaves no key that sounds between 1 Hz and 100 kHz; widen its keys or map more of them."
        case .tooManyNotes(let limit):
            "The scale has more than \(limit) notes between 1 Hz and 100 kHz; use a larger period or fewer pitches."
        case .unsupportedReference(let frequency):
            "A reference of \(frequency.value) Hz is not supported; choose one from 1 to 100000 Hz."
        }
    }

    /// The exit status for a command that ends with this error.
    public var exitStatus: Int32 {
        switch self {
        case .unsupportedReference: 2
        default: 66
        }
    }
}
