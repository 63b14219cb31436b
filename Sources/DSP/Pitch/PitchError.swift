public import Music
public import Spectral

/// What stops a pitch detector from being made. Nothing is thrown once samples flow.
public enum PitchError: Error, Sendable, Equatable {
    /// The sample rate is not one a pitch can be measured at.
    case unsupportedSampleRate(Hertz)
    /// The hop is too short or too long.
    case unsupportedHop(Int)
    /// The longest window is too short or too long, in seconds.
    case unsupportedWindow(Double)
    /// A transform could not be made.
    case spectral(SpectralError)

    /// What is wrong and what to do next, in one sentence.
    public var message: String {
        switch self {
        case .unsupportedSampleRate(let rate):
            "Pitch cannot be measured at a sample rate of \(rate.value) Hz; choose one from 8000 to 192000."
        case .unsupportedHop(let hop):
            "A hop of \(hop) samples is not supported; choose one from 1 ms to 50 ms of sound."
        case .unsupportedWindow(let seconds):
            "A pitch cannot rest on \(seconds) s of sound; choose a longest window from 0.085 to 1 s."
        case .spectral(let error): error.message
        }
    }

    /// The exit status for a command that ends with this error.
    public var exitStatus: Int32 {
        switch self {
        case .unsupportedSampleRate, .unsupportedHop, .unsupportedWindow: 2
        case .spectral(let error): error.exitStatus
        }
    }
}
