public import Music
public import Spectral

/// What stops an onset detector or a click canceller from being made. It is thrown during set-up, never while samples flow.
public enum OnsetError: ExplainedError, Equatable {
    /// The sample rate is out of range.
    case unsupportedSampleRate(Hertz)
    /// A transform could not be made.
    case spectral(SpectralError)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .unsupportedSampleRate(let rate): "onsets cannot be found at a sample rate of \(rate.value) Hz"
        case .spectral(let error): error.problem
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .unsupportedSampleRate: "choose one from 8000 to 192000 Hz"
        case .spectral(let error): error.remedy
        }
    }
}
