internal import CLinuxCalls
internal import Glibc

/// A descriptor that one thread rings and another one waits for.
package struct WakeUp: ~Copyable, Sendable {
    /// Readable from a ring until it is cleared.
    package let descriptor: Int32

    /// Throws `ResourceError`.
    package init() throws(ResourceError) {
        let made = linux_eventfd()
        guard made >= 0 else { throw ResourceError("file descriptor") }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. One system call that does not block.
    package func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Makes the descriptor silent again.
    package func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Waits until it rings; false when the deadline comes first. The ring stays to be cleared.
    package func wait(until deadline: MonotonicTime? = nil) -> Bool {
        waitForInput(descriptor, until: deadline)
    }
}
