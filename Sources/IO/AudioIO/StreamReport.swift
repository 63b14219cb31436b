/// What a stream has done so far, counted by its own thread.
package struct StreamStatistics: BitwiseCopyable, Sendable, Hashable {
    /// Frames handed to, or taken from, the device.
    package var transferredFrames: Int64 = 0
    /// Times the device ran dry (playback) or over (capture).
    package var xruns = 0
    /// Times the device was suspended and woken again.
    package var suspensions = 0
    /// Frames that never sounded or were never heard, as far as the clock can tell.
    package var lostFrames: Int64 = 0
    /// Captured frames thrown away because the reader was too slow.
    package var droppedFrames: Int64 = 0
    /// Breaks in the stream of frames that the device did not report and the clock showed.
    package var discontinuities = 0
    /// Times the period was doubled because of xruns.
    package var enlargements = 0
    /// Times the device was lost and came back.
    package var reopenings = 0
    /// Whether the device takes or gives everything at once, as ALSA's `null` does, and so is paced by the system's clock.
    package var isPacedBySystem = false
    /// Whether the system gave the thread real-time priority (`SCHED_FIFO`).
    package var hasRealtimePriority = false
    /// Whether the system pinned the stream's memory, so that it is never paged out.
    package var hasPinnedMemory = false

    /// Nothing done yet.
    package init() {}

    /// One line for people, of what happened and under which conditions: `0 xruns, 1 jump, 33600 frames lost; with
    /// real-time priority, memory pinned`.
    package var summary: String {
        func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        var parts = [counted(xruns, "xrun"), counted(discontinuities, "jump"), "\(lostFrames) frames lost"]
        if droppedFrames > 0 { parts.append("\(droppedFrames) frames dropped") }
        if suspensions > 0 { parts.append(counted(suspensions, "suspension")) }
        if enlargements > 0 { parts.append("period doubled \(counted(enlargements, "time"))") }
        if reopenings > 0 { parts.append("reopened \(counted(reopenings, "time"))") }
        let conditions = [
            hasRealtimePriority ? "with real-time priority" : "without real-time priority (see `ulimit -r`)",
            hasPinnedMemory ? "memory pinned" : "memory not pinned (see `ulimit -l`)",
        ]
        let pace = isPacedBySystem ? "; no clock of its own, paced by the system's" : ""
        return parts.joined(separator: ", ") + "; " + conditions.joined(separator: ", ") + pace
    }
}

/// Where a stream is in its life.
package enum StreamState: UInt8, BitwiseCopyable, Sendable {
    /// Frames flow.
    case running
    /// The device is gone; the stream waits for it to come back.
    case lost
    /// The stream is over: stopped by its owner, or failed.
    case ended
}

/// A picture of a stream at one moment, taken by its own thread.
package struct StreamReport: BitwiseCopyable, Sendable {
    /// Where the stream is in its life.
    package var state: StreamState
    /// What it has done so far.
    package var statistics: StreamStatistics
    /// Its relation between frames and time.
    package var clock: StreamClock
    /// How fast its card runs, since the last break.
    package var rate: RateEstimate

    /// A report.
    package init(state: StreamState, statistics: StreamStatistics, clock: StreamClock, rate: RateEstimate) {
        (self.state, self.statistics, self.clock, self.rate) = (state, statistics, clock, rate)
    }

    /// The report of a stream that has not begun.
    package init(sampleRate: Int) {
        self.init(
            state: .running, statistics: StreamStatistics(), clock: StreamClock(sampleRate: sampleRate),
            rate: RateEstimate(sampleRate: sampleRate))
    }
}
