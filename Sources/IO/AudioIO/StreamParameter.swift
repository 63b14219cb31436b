public import Music

/// What a device can refuse, with the value asked for and the nearest one that it supports.
public enum StreamParameter: Equatable, Sendable {
    /// The sample rate.
    case sampleRate(Hertz, nearest: Hertz?)
    /// The number of channels.
    case channelCount(Int, nearest: Int?)
    /// All of the sample formats that streams use.
    case sampleFormat
    /// Period and buffer, in frames.
    case bufferSize(period: Int, buffer: Int)
    /// Interleaved frames.
    case access
}

extension StreamParameter {
    /// What the device does not do, as the rest of a sentence that begins with its name.
    internal var refusal: String {
        switch self {
        case .sampleRate(let rate, _): "cannot run at \(rate.inWholeHertz) Hz"
        case .channelCount(let count, _): "has no setting for \(count) channel\(count == 1 ? "" : "s")"
        case .sampleFormat: "has no sample format known here"
        case .bufferSize(let period, let buffer): "takes no period of \(period) and buffer of \(buffer) frames"
        case .access: "does not take interleaved frames"
        }
    }

    /// What to do next. Suggests a converting device only for one that does not convert.
    internal func remedy(on device: String) -> String {
        let converts = device == "default" || device.hasPrefix("plug")
        let elsewhere = converts ? "" : ", or use \"default\" or plughw:"
        return switch self {
        case .sampleRate(_, let nearest):
            (nearest.map { "ask for \($0.inWholeHertz) Hz" } ?? "let the device choose the rate") + elsewhere
        case .channelCount(_, let nearest):
            (nearest.map { "ask for \($0)" } ?? "let the device choose the count") + elsewhere
        case .bufferSize: "ask for larger ones" + elsewhere
        case .sampleFormat, .access:
            converts ? "choose another sound card" : "use \"default\" or plughw:"
        }
    }
}

extension Hertz {
    /// A whole number of hertz, for messages and for what counts whole frames.
    internal var inWholeHertz: Int { value.isFinite ? Int(max(-1e15, min(1e15, value.rounded()))) : 0 }
}
