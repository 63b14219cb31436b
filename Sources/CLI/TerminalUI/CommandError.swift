internal import Music

/// A command cannot do what was asked.
package struct CommandError: ExplainedError {
    /// Where the problem lies. Each kind has its exit status: see `ExitStatus.of`.
    package enum Kind: Sendable {
        case usage
        case input
        /// A sound device that is not there, or cannot do what was asked.
        case device
        /// A sound device that was interrupted.
        case interrupted
        case output
    }

    package let kind: Kind
    /// What is wrong, or a whole sentence with what to do next.
    package let problem: String
    /// What to do next; empty if `problem` says it.
    package let remedy: String

    package init(_ kind: Kind, _ problem: String, remedy: String = "") {
        (self.kind, self.problem, self.remedy) = (kind, problem, remedy)
    }
}
