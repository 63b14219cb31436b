internal import Glibc

/// A moment on the system's monotonic clock (`CLOCK_MONOTONIC`), which never jumps and is the same for every thread.
@frozen
public struct MonotonicTime: BitwiseCopyable, Sendable, Hashable, Comparable {
    /// Nanoseconds since the clock began, usually when the machine started.
    public var nanoseconds: Int64

    /// The moment `nanoseconds` after the clock began.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// This moment. Costs one call into the vDSO, about 20 ns.
    public static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time from when the clock began to this moment.
    public var sinceStart: Duration { .nanoseconds(nanoseconds) }

    /// Whether `lhs` is the earlier one.
    public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool { lhs.nanoseconds < rhs.nanoseconds }

    /// How much later `lhs` is than `rhs`; negative when earlier.
    public static func - (lhs: MonotonicTime, rhs: MonotonicTime) -> Duration {
        .nanoseconds(lhs.nanoseconds - rhs.nanoseconds)
    }

    /// The moment `duration` later.
    public static func + (lhs: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        return MonotonicTime(nanoseconds: lhs.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    /// Suspends the calling thread for `duration`.
    package static func sleep(for duration: Duration) {
        var loop = EventLoop()
        loop.wait(until: .now() + duration)
    }
}
