public import Music

/// A command cannot do what was asked.
public struct CommandError: ExplainedError {
    /// Where the problem lies. Each kind has its exit status: see `ExitStatus.of`.
    public enum Kind: Sendable {
        /// The command line.
        case usage
        /// An input file.
        case input
        /// A sound device that is not there, or cannot do what was asked.
        case device
        /// A sound device that was interrupted.
        case interrupted
        /// An output file.
        case output
    }

    /// Where the problem lies.
    public let kind: Kind
    /// What is wrong, or a whole sentence with what to do next.
    public let problem: String
    /// What to do next; empty if `problem` says it.
    public let remedy: String

    /// An error of this kind.
    public init(_ kind: Kind, _ problem: String, remedy: String = "") {
        (self.kind, self.problem, self.remedy) = (kind, problem, remedy)
    }
}
