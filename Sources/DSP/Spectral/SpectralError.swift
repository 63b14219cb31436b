/// What stops a transform from being made. It is thrown when things are set up, never while samples flow.
public enum SpectralError: Error, Sendable, Equatable {
    /// The transform length is neither 4 nor a multiple of 8 without a prime factor beyond 5, or beyond 2^24.
    case unsupportedSize(Int)
    /// The library could not plan a transform of this length: memory has run out.
    case planningFailed(size: Int)

    /// What is wrong and what to do next, in one sentence.
    public var message: String {
        switch self {
        case .unsupportedSize(let size):
            "A transform of \(size) samples is not supported; choose a multiple of 8 up to 16777216 without a prime factor beyond 5, such as a power of two."
        case .planningFailed(let size):
            "A transform of \(size) samples could not be planned; free some memory and try again."
        }
    }

    /// The exit status for a command that ends with this error.
    public var exitStatus: Int32 {
        switch self {
        case .unsupportedSize: 2
        case .planningFailed: 75
        }
    }
}
