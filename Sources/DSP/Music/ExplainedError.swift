/// An error that tells a person what is wrong and what to do next.
///
/// Every error that a module of this package throws conforms. `message` is what a program shows when it has no better words
/// of its own; the cases of the concrete types are what it acts on.
public protocol ExplainedError: Error, Sendable, CustomStringConvertible {
    /// What is wrong, as a clause without a full stop: `no sound device is called "hw:7"`.
    var problem: String { get }
    /// What to do next, as a clause without a full stop: `choose one that -L lists`.
    var remedy: String { get }
}

extension ExplainedError {
    /// One sentence: what is wrong, and what to do next.
    public var message: String { remedy.isEmpty ? problem : "\(problem): \(remedy)" }

    /// The same as `message`.
    public var description: String { message }
}
