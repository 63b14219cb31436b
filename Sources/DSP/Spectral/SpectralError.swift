public import Music

/// What stops a transform from being made. It is thrown during set-up, never while samples flow.
public enum SpectralError: ExplainedError, Equatable {
    /// The length is neither 4 nor a multiple of 8 without a prime factor above 5, or it is above 2^24.
    case unsupportedSize(Int)
    /// The library could not plan a transform of this length because memory ran out.
    case planningFailed(size: Int)

    /// What is wrong.
    public var problem: String {
        switch self {
        case .unsupportedSize(let size): "a transform of \(size) samples is not supported"
        case .planningFailed(let size): "a transform of \(size) samples could not be planned"
        }
    }

    /// What to do next.
    public var remedy: String {
        switch self {
        case .unsupportedSize:
            "choose a multiple of 8 up to 16777216 without a prime factor above 5, such as a power of two"
        case .planningFailed: "close other programs to free memory"
        }
    }
}
