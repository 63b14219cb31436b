/// Why a scale and a keyboard mapping do not make a tuning.
public enum TuningError: ExplainedError, Equatable {
    /// The period, which is the scale's last pitch or the mapping's formal octave, does not rise.
    case periodNotAbove(Cents)
    /// The mapping gives a frequency to a key that has no note.
    case referenceUnmapped(Note)
    /// No key has a note from 1 Hz to 100 kHz.
    case noNotes
    /// There are more notes than a tuner can distinguish.
    case tooManyNotes(limit: Int)
    /// The reference frequency is out of range.
    case unsupportedReference(Hertz)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .periodNotAbove(let period): "the scale repeats after \(period.value) cents, which is not upward"
        case .referenceUnmapped(let note):
            "the mapping gives a frequency to key \(note.midi) (\(note)), which has no note"
        case .noNotes: "the mapping leaves no note from 1 Hz to 100 kHz"
        case .tooManyNotes(let limit): "the scale has more than \(limit) notes from 1 Hz to 100 kHz"
        case .unsupportedReference(let frequency): "a reference of \(frequency.value) Hz is not supported"
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .periodNotAbove: "end it with a period such as 2/1"
        case .referenceUnmapped: "map that key, or choose another reference key"
        case .noNotes: "widen its range of keys, or map more of them"
        case .tooManyNotes: "use a larger period or fewer pitches"
        case .unsupportedReference: "choose one from 1 to 100000 Hz"
        }
    }
}
