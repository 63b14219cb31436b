public import Music
public import Spectral

/// What stops a pitch detector from being made. It is thrown during set-up, never while samples flow.
public enum PitchError: ExplainedError, Equatable {
    /// The sample rate is out of range.
    case unsupportedSampleRate(Hertz)
    /// The hop is too short or too long.
    case unsupportedHop(Int)
    /// The longest window is too short or too long, in seconds.
    case unsupportedWindow(Double)
    /// A transform could not be made.
    case spectral(SpectralError)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .unsupportedSampleRate(let rate): "pitch cannot be measured at a sample rate of \(rate.value) Hz"
        case .unsupportedHop(let hop): "a hop of \(hop) samples is not supported"
        case .unsupportedWindow(let seconds): "a longest window of \(seconds) s is not supported"
        case .spectral(let error): error.problem
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .unsupportedSampleRate: "choose one from 8000 to 192000 Hz"
        case .unsupportedHop: "choose one from 1 ms to 50 ms of sound"
        case .unsupportedWindow: "choose a longest window from 0.085 to 1 s"
        case .spectral(let error): error.remedy
        }
    }
}
