/// Something a command cannot do: what is wrong, what to do next, and the exit status that tells a script.
public struct CommandError: Error, Sendable {
    /// One sentence for standard error.
    public let message: String
    /// The exit status.
    public let exitStatus: Int32

    /// An error with its sentence and its status.
    public init(_ message: String, exitStatus: Int32) { (self.message, self.exitStatus) = (message, exitStatus) }
}
