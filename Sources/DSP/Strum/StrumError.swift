public import Music

/// What stops a `StrumEngine` from being made. It is thrown during set-up, never while samples flow.
public enum StrumError: ExplainedError, Equatable {
    /// The sample rate is out of range.
    case unsupportedSampleRate(Hertz)
    /// There are too few or too many strings.
    case unsupportedStringCount(Int)
    /// A string's frequency is out of range.
    case unsupportedString(Hertz)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .unsupportedSampleRate(let rate): "strums cannot be measured at a sample rate of \(rate.value) Hz"
        case .unsupportedStringCount(let count): "a strum of \(count) strings is not supported"
        case .unsupportedString(let frequency): "a string at \(frequency.value) Hz is not supported"
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .unsupportedSampleRate: "choose one from 16000 to 192000 Hz"
        case .unsupportedStringCount: "choose an instrument of 2 to 12 strings"
        case .unsupportedString: "choose a tuning from 25 to 1000 Hz"
        }
    }
}
