/// Keeps what is played in its place on the clock, through xruns, suspends and lost devices.
///
/// A metronome's frames are not just a sequence: frame F belongs to a moment. When the device stumbles, frames pass
/// that nobody hears; what comes after has to be the frame whose moment it is then, not the one that was next.
package struct TimelineLock: BitwiseCopyable, Sendable {
    /// The stream's clock: the grid that is kept.
    package private(set) var watch: PositionWatch
    /// Holes in time that nobody reported.
    package private(set) var jumps = 0
    private var phase = Phase.free

    private enum Phase: BitwiseCopyable, Sendable {
        /// There is no grid yet: the first 250 ms of the stream.
        case free
        /// Frames lie where they belong.
        case locked
        /// The device begins again: how far off it is gets measured.
        case measuring(from: MonotonicTime, count: Int, sum: Double)
        /// The device has been prepared and has not said anything yet.
        case waiting
    }

    /// 100 ms: what sound servers report for a period or two after a start is nonsense.
    private static let settling: Duration = .milliseconds(100)
    /// Eight observations: a scatter of a frame or two averages to less than one.
    private static let observations = 8

    /// A timeline that has not begun.
    package init(sampleRate: Int, periodFrames: Int) {
        watch = PositionWatch(sampleRate: sampleRate, periodFrames: periodFrames)
    }

    /// The frame that belongs to `time`; `nil` while there is no grid.
    package func frame(at time: MonotonicTime) -> Int64? {
        if case .free = phase { return nil }
        return watch.clock.frame(at: time)
    }

    /// The device was prepared anew, or opened anew.
    package mutating func restart() {
        if case .free = phase { watch.restart() } else { phase = .waiting }
        watch.forgetRate()
    }

    /// Takes in that `frame` is heard at `time`.
    ///
    /// - Returns: by how many frames what is rendered has to move on to be in its place; below zero: has to wait.
    package mutating func observe(frame: Int64, at time: MonotonicTime) -> Int64 {
        switch phase {
        case .free:
            if watch.observe(frame: frame, at: time) == .expected { phase = .locked }
            return 0
        case .locked:
            if case .jump = watch.observe(frame: frame, at: time) {
                phase = .measuring(from: time, count: 0, sum: 0)
                jumps += 1
            }
            return 0
        case .waiting:
            phase = .measuring(from: time + TimelineLock.settling, count: 0, sum: 0)
            return 0
        case .measuring(let from, let count, let sum):
            guard time >= from, let place = watch.clock.frame(at: time) else { return 0 }
            let error = sum + Double(place - frame)
            guard count + 1 == TimelineLock.observations else {
                phase = .measuring(from: from, count: count + 1, sum: error)
                return 0
            }
            phase = .locked
            return Int64((error / Double(count + 1)).rounded())
        }
    }
}
