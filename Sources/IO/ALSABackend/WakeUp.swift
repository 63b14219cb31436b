internal import AudioIO
internal import CALSA
internal import CLinuxCalls
internal import Glibc

/// A descriptor that one thread rings and another sleeps on with `poll`.
internal struct WakeUp: ~Copyable, Sendable {
    internal let descriptor: Int32

    /// Throws `AudioError.outOfResources`.
    internal init() throws(AudioError) {
        let made = linux_eventfd()
        guard made >= 0 else { throw .outOfResources("file descriptor") }
        descriptor = made
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. One system call that does not block.
    internal func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    /// Makes the descriptor silent again.
    internal func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    /// Sleeps until it rings; false when the time is over first. The ring stays to be cleared.
    internal func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
