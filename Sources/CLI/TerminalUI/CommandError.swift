/// Something a command cannot do: what is wrong, what to do next, and the exit status that tells a script.
public struct CommandError: Error, Sendable {
    /// One sentence for standard error.
    public let message: String
    /// The exit status.
    public let exitStatus: Int32

    /// An error with its sentence and its status.
    public init(_ message: String, exitStatus: Int32) { (self.message, self.exitStatus) = (message, exitStatus) }

    /// A list of devices without a row.
    ///
    /// - Parameters:
    ///   - cards: whether only the kernel's own cards were asked for.
    ///   - verb: what they were to do: record, play.
    public static func nothingToList(cards: Bool, that verb: String) -> CommandError {
        CommandError(
            cards
                ? "this machine has no sound card that can \(verb): plug one in, or see with -L what a sound server offers"
                : "no sound device can \(verb) here: plug a sound card in, or start the sound server",
            exitStatus: ExitStatus.noDevice)
    }
}
