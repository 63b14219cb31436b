internal import Music

/// What a stream has done so far, counted by its own thread.
package struct StreamStatistics: BitwiseCopyable, Sendable, Hashable {
    /// Frames written to the device, or read from it.
    package var transferredFrames: Int64 = 0
    /// Underruns (playback) or overruns (capture).
    package var xruns = 0
    /// Times the device was suspended and resumed.
    package var suspensions = 0
    /// Frames that were never heard, as far as the clock can tell.
    package var lostFrames: Int64 = 0
    /// Captured frames that were dropped because the reader was too slow.
    package var droppedFrames: Int64 = 0
    /// Breaks in the sequence of frames that the clock showed and the device did not report.
    package var discontinuities = 0
    /// Times the period was doubled because of xruns.
    package var enlargements = 0
    /// Whether it underran that often at a period that may not grow.
    package var needsLargerPeriod = false
    /// Times the device was lost and came back.
    package var reopenings = 0
    /// Whether the system's clock paces the stream: ALSA's `null` device takes or gives any number of frames at once.
    package var isPacedBySystem = false
    /// Whether the system gave the thread real-time priority (`SCHED_FIFO`).
    package var hasRealtimePriority = false
    /// Whether the system pinned the stream's memory, so that it is never paged out.
    package var hasPinnedMemory = false

    /// Nothing done yet.
    package init() {}
}

/// Where a stream is in its life.
package enum StreamState: UInt8, BitwiseCopyable, Sendable {
    /// Frames flow.
    case running
    /// The device is gone, and the stream waits for it.
    case lost
    /// The stream is over: its owner stopped it, or it failed.
    case ended
}

/// The state of a stream at one moment, reported by its own thread.
package struct StreamReport: BitwiseCopyable, Sendable {
    /// Where the stream is in its life.
    package var state: StreamState
    /// What it has done so far.
    package var statistics: StreamStatistics
    /// The relation between its frames and time.
    package var clock: StreamClock
    /// How fast its card runs.
    package var rate: RateEstimate

    /// The report of a stream that has not begun.
    package init(framesPerSecond: Int) {
        (state, statistics) = (.running, StreamStatistics())
        clock = StreamClock(sampleRate: framesPerSecond.hertz)
        rate = RateEstimate(sampleRate: framesPerSecond)
    }
}
