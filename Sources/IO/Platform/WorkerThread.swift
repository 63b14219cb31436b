internal import CLinuxCalls
internal import Glibc

/// A thread with a name, joined when its owner lets go of it.
///
/// It takes no signals: SIGINT and the like reach the main thread, and interrupt no transfer.
package struct WorkerThread: ~Copyable {
    private let thread: pthread_t

    /// Which threads the kernel runs first.
    package enum Priority: Sendable {
        /// As the rest of the program.
        case normal
        /// `SCHED_FIFO` at 70, where the system grants that: above the desktop and the kernel's interrupt threads (50 by
        /// default), below the sound servers (83 to 88), which have to run first.
        case realTime
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: at most 15 characters.
    ///   - priority: that is asked for.
    ///   - body: what it does, with the priority that was granted.
    ///
    /// Throws `ResourceError`.
    package init(
        _ name: String, priority: Priority = .normal, body: @escaping @Sendable (_ granted: Priority) -> Void
    ) throws(ResourceError) {
        let start = Unmanaged.passRetained(
            ThreadStart {
                linux_name_thread(name)
                body(priority == .realTime && linux_realtime_priority(70) == 0 ? .realTime : .normal)
            })
        var made = pthread_t()
        let error = withoutSignals {
            pthread_create(
                &made, nil,
                { raw in
                    if let raw { Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().run() }
                    return nil
                }, start.toOpaque())
        }
        guard error == 0 else {
            start.release()
            throw ResourceError("thread")
        }
        thread = made
    }

    /// Starts a thread that owns `work`. Throws `ResourceError`.
    package static func start<Work: ThreadWork & ~Copyable>(
        _ name: String, priority: Priority = .normal, _ work: consuming Work
    ) throws(ResourceError) -> WorkerThread {
        // A closure cannot own a noncopyable value: it gets the address of one.
        let memory = UnsafeMutablePointer<Work>.allocate(capacity: 1)
        memory.initialize(to: work)
        nonisolated(unsafe) let address = memory
        do {
            return try WorkerThread(name, priority: priority) { granted in
                address.pointee.run(at: granted)
                address.deinitialize(count: 1)
                address.deallocate()
            }
        } catch {
            memory.deinitialize(count: 1)
            memory.deallocate()
            throw error
        }
    }

    /// Asks that the memory in use stays in RAM; false where the system does not allow it.
    package static func pinMemory() -> Bool { linux_pin_memory() == 0 }

    /// Sends the thread a signal, which interrupts its waiting for one.
    package func send(signal: Int32) { pthread_kill(thread, signal) }

    deinit { pthread_join(thread, nil) }
}

/// What a thread does with what it owns.
package protocol ThreadWork: ~Copyable, SendableMetatype {
    /// Returns when the work is done.
    ///
    /// - Parameter priority: that the system granted.
    mutating func run(at priority: WorkerThread.Priority)
}

private final class ThreadStart: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// Runs `body` while the calling thread, and the threads it starts meanwhile, take no signals.
package func withoutSignals<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}
