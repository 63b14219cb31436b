package import Music

/// A command cannot do what was asked.
package struct CommandError: ExplainedError {
    /// Where the problem lies. Each kind has its exit status: see `ExitStatus.of`.
    package enum Kind: Sendable {
        case usage
        case input
        /// A sound device that is not there, or cannot do what was asked.
        case device
        /// A sound device that was interrupted, or something else that another program holds.
        case interrupted
        case output
    }

    package let kind: Kind
    package let problem: String, remedy: String

    package init(_ kind: Kind, _ problem: String, remedy: String) {
        (self.kind, self.problem, self.remedy) = (kind, problem, remedy)
    }

    /// The problem and the remedy of another error.
    ///
    /// - Parameter place: precedes the problem: the option, `--swing `, or the file, `scale.scl: `.
    package init(_ kind: Kind, _ error: some ExplainedError, at place: String = "") {
        self.init(kind, place + error.problem, remedy: error.remedy)
    }

    /// Two options, or words, that exclude each other.
    package static func excluding(_ first: String, _ second: String) -> CommandError {
        CommandError(.usage, "\(first) and \(second) exclude each other", remedy: "use one of them")
    }
}
