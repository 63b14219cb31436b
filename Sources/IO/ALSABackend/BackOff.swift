internal import AudioIO

/// When to try again: after a quarter of a second, half of one, one, and from then on every two.
internal struct BackOff: Sendable {
    private var next = MonotonicTime.now() + .milliseconds(250)
    private var pause: Duration = .milliseconds(250)

    /// Whether it is time to try.
    internal var isOver: Bool { MonotonicTime.now() >= next }

    /// It was in vain: wait twice as long.
    internal mutating func extend() {
        pause = min(pause * 2, .seconds(2))
        next = .now() + pause
    }
}
