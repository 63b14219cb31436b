public import Music
public import Pitch
public import Rhythm

/// What stops a note segmenter from being made. It is thrown during set-up, never while samples flow.
public enum SegmenterError: ExplainedError, Equatable {
    /// The onset detector could not be made.
    case onset(OnsetError)
    /// The pitch detector could not be made.
    case pitch(PitchError)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .onset(let error): error.problem
        case .pitch(let error): error.problem
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .onset(let error): error.remedy
        case .pitch(let error): error.remedy
        }
    }
}
