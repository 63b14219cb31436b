public import Music

/// A command cannot do what was asked.
public struct CommandError: ExplainedError {
    /// What is wrong, or a whole sentence with what to do next.
    public let problem: String
    /// What to do next; empty if `problem` says it.
    public let remedy: String
    /// The exit status.
    public let exitStatus: Int32

    /// An error with its message and its exit status.
    public init(_ problem: String, remedy: String = "", exitStatus: Int32) {
        self.problem = problem
        self.remedy = remedy
        self.exitStatus = exitStatus
    }

    /// No device to list.
    ///
    /// - Parameters:
    ///   - cards: whether only the kernel's own cards were asked for.
    ///   - verb: `record` or `play`.
    public static func nothingToList(cards: Bool, that verb: String) -> CommandError {
        cards
            ? CommandError(
                "this machine has no sound card that can \(verb)",
                remedy: "plug one in, or list with -L what a sound server offers", exitStatus: ExitStatus.noDevice)
            : CommandError(
                "no sound device can \(verb) here", remedy: "plug in a sound card, or start the sound server",
                exitStatus: ExitStatus.noDevice)
    }
}
