internal import AudioIO

/// When to try again: after 0.25, 0.5 and 1 second, then every 2 seconds.
internal struct BackOff: Sendable {
    private var next = MonotonicTime.now() + .milliseconds(250)
    private var pause: Duration = .milliseconds(250)

    /// Whether it is time to try.
    internal var isOver: Bool { MonotonicTime.now() >= next }

    /// Doubles the pause after a failed attempt.
    internal mutating func extend() {
        pause = min(pause * 2, .seconds(2))
        next = .now() + pause
    }
}
