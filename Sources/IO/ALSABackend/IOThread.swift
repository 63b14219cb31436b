internal import AudioIO
internal import CLinuxCalls
internal import Glibc

/// A thread for one direction of sound, joined when its owner lets go of it.
///
/// It takes no signals: SIGINT and its like reach the main thread, and no transfer is interrupted by them.
internal struct IOThread: ~Copyable {
    private let thread: pthread_t

    /// Starts `body` on a thread called `name` (15 characters at most).
    ///
    /// Throws `AudioError.outOfResources`.
    internal init(name: String, body: @escaping @Sendable () -> Void) throws(AudioError) {
        let context = Unmanaged.passRetained(ThreadBody(name: name, body: body))
        let before = blockSignals()
        defer { restoreSignals(before) }
        var made = pthread_t()
        let error = pthread_create(
            &made, nil,
            { raw in
                guard let raw else { return nil }
                let context = Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue()
                linux_name_thread(context.name)
                context.body()
                return nil
            }, context.toOpaque())
        guard error == 0 else {
            context.release()
            throw .outOfResources("thread")
        }
        thread = made
    }

    /// Starts a loop on a thread of its own, which owns it.
    ///
    /// The thread's body is a closure, and a closure cannot own a noncopyable value: it gets the address of one.
    ///
    /// Throws `AudioError.outOfResources`.
    internal static func start<Loop: StreamLoop & ~Copyable>(
        _ name: String, _ loop: consuming Loop
    ) throws(AudioError) -> IOThread {
        let memory = UnsafeMutablePointer<Loop>.allocate(capacity: 1)
        memory.initialize(to: loop)
        nonisolated(unsafe) let address = memory
        do {
            return try IOThread(name: name) {
                address.pointee.run()
                address.deinitialize(count: 1)
                address.deallocate()
            }
        } catch {
            memory.deinitialize(count: 1)
            memory.deallocate()
            throw error
        }
    }

    deinit { pthread_join(thread, nil) }

    /// Asks for real-time priority for the calling thread; false where the system does not allow it.
    internal static func raisePriority() -> Bool {
        // 70: above the desktop, below the kernel's interrupt threads (50 is theirs by default, but sound servers
        // sit at 83 to 88 and have to run first).
        linux_realtime_priority(70) == 0
    }

    /// Asks that the memory in use stays in RAM; false where the system does not allow it.
    internal static func pinMemory() -> Bool { linux_pin_memory() == 0 }
}

/// What an I/O thread does: one direction of sound.
internal protocol StreamLoop: ~Copyable, SendableMetatype {
    /// Returns when the stream is over.
    mutating func run()
}

private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) { (self.name, self.body) = (name, body) }
}

/// Blocks all signals for the calling thread, and for those it starts; returns what was blocked before.
internal func blockSignals() -> sigset_t {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    return before
}

internal func restoreSignals(_ before: sigset_t) {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
}
