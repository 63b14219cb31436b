internal import CLinuxCalls

/// Waits for descriptors and a deadline. The threads of a sound card wait in `PCM.wait`, as alsa-lib has events of its own.
///
/// ```swift
/// var loop = EventLoop()
/// let keys = loop.watch(0)  // standard input
/// loop.wait(until: .now() + .milliseconds(50))
/// if loop.isReady(keys) { print("a key") }
/// ```
package struct EventLoop {
    /// A descriptor that is watched.
    package struct Source: Sendable {
        fileprivate let index: Int
    }

    private var entries: [linux_watched] = []

    /// A loop that watches nothing yet.
    package init() {}

    /// Watches `descriptor` for input; a negative one is never ready.
    package mutating func watch(_ descriptor: Int32) -> Source {
        entries.append(linux_watched(descriptor: descriptor, events: Int16(LINUX_INPUT.rawValue), found: 0))
        return Source(index: entries.count - 1)
    }

    /// Watches `descriptor` in place of the one that `source` had.
    package mutating func change(_ source: Source, to descriptor: Int32) {
        entries[source.index].descriptor = descriptor
    }

    /// Suspends the calling thread until a descriptor is ready or the deadline has come; without a deadline, for as long
    /// as it takes.
    package mutating func wait(until deadline: MonotonicTime? = nil) {
        entries.withUnsafeMutableBufferPointer { suspendThread($0, until: deadline) }
    }

    /// Whether the last wait found input on `source`, or its end.
    package func isReady(_ source: Source) -> Bool { entries[source.index].found != 0 }
}

/// Suspends the calling thread until `descriptor` has input; false when the deadline comes first. Allocates nothing.
@discardableResult package func waitForInput(_ descriptor: Int32, until deadline: MonotonicTime? = nil) -> Bool {
    wait(descriptor, for: LINUX_INPUT, until: deadline)
}

/// Suspends the calling thread until `descriptor` has room to write.
package func waitForRoom(_ descriptor: Int32) { _ = wait(descriptor, for: LINUX_OUTPUT, until: nil) }

private func wait(_ descriptor: Int32, for events: linux_events, until deadline: MonotonicTime?) -> Bool {
    var entry = linux_watched(descriptor: descriptor, events: Int16(events.rawValue), found: 0)
    withUnsafeMutablePointer(to: &entry) {
        suspendThread(UnsafeMutableBufferPointer(start: $0, count: 1), until: deadline)
    }
    return entry.found != 0
}

private func suspendThread(_ entries: UnsafeMutableBufferPointer<linux_watched>, until deadline: MonotonicTime?) {
    var wasInterrupted = true
    while wasInterrupted {
        // Below zero: without end.
        let left = deadline.map { max(0, $0.nanoseconds - MonotonicTime.now().nanoseconds) } ?? -1
        wasInterrupted = linux_wait(entries.baseAddress, entries.count, left) != 0
    }
}
