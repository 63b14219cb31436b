#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A plain thread, as an audio thread is one: no task, no queue.
public final class ThreadHandle {
    private var thread = pthread_t()

    /// Starts a thread that runs `body`.
    public init(_ body: @escaping @Sendable () -> Void) {
        let raw = Unmanaged.passRetained(Work(body)).toOpaque()
        pthread_create(
            &thread, nil,
            { raw in
                if let raw { Unmanaged<Work>.fromOpaque(raw).takeRetainedValue().body() }
                return nil
            }, raw)
    }

    /// Waits for the thread to end.
    public func join() { pthread_join(thread, nil) }
}

/// Carries a noncopyable value into a thread's closure; one thread at a time may touch it.
public final class Box<Value: ~Copyable>: @unchecked Sendable {
    /// What the box holds.
    public var value: Value

    /// Boxes a value.
    public init(_ value: consuming Value) { self.value = value }
}

private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
