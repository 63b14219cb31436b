/// An error that tells a person what is wrong and what to do next.
///
/// Every error that a module of this package throws conforms. `message` is for display; a program acts on the cases of
/// the concrete type.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, as a clause without a full stop: `no sound device is called "hw:7"`.
    var problem: String { get }
    /// What to do next, as a clause without a full stop: `ask for 1 to 256`.
    var remedy: String { get }
}

extension ExplainedError {
    /// What is wrong and what to do next, in one sentence without a full stop.
    public var message: String { remedy.isEmpty ? problem : "\(problem): \(remedy)" }

    /// The same as `message`.
    public var description: String { message }
}
