/// Keeps playback on its timeline through xruns, suspends and lost devices.
///
/// Each frame of a metronome belongs to a moment. After a failure of the device, playback continues with the frame that is
/// due then, and skips those whose moments have passed.
package struct TimelineLock: BitwiseCopyable, Sendable {
    /// The stream's clock, which is the timeline.
    package private(set) var watch: PositionWatch
    /// Gaps that the device did not report.
    package private(set) var jumps = 0
    private var phase = Phase.free

    private enum Phase: BitwiseCopyable, Sendable {
        /// There is no timeline yet: the first 250 ms of the stream.
        case free
        /// Frames are in their places.
        case locked
        /// The device has begun again, and its distance from the timeline is being measured.
        case measuring(from: MonotonicTime, count: Int, sum: Double)
        /// The device was prepared and has not reported a position yet.
        case waiting
    }

    /// 100 ms: sound servers report nonsense for a period or two after a start.
    private static let settling: Duration = .milliseconds(100)
    /// The mean of eight observations with a scatter of a frame or two is good to less than a frame.
    private static let observations = 8

    /// A timeline that has not begun.
    package init(sampleRate: Int, periodFrames: Int) {
        watch = PositionWatch(sampleRate: sampleRate, periodFrames: periodFrames)
    }

    /// The frame that is due at `time`; `nil` while there is no timeline.
    package func frame(at time: MonotonicTime) -> Int64? {
        if case .free = phase { return nil }
        return watch.clock.frame(at: time)
    }

    /// Notes that the device was prepared or opened again.
    package mutating func restart() {
        if case .free = phase { watch.restart() } else { phase = .waiting }
        watch.noteBreak()
    }

    /// Notes that `frame` is heard at `time`.
    ///
    /// - Returns: how many frames to skip; below zero, how many frames of silence to insert.
    package mutating func observe(frame: Int64, at time: MonotonicTime) -> Int64 {
        switch phase {
        case .free:
            switch watch.observe(frame: frame, at: time) {
            case .expected: phase = .locked
            // The first position was nonsense: begin with this one, or no frame would ever be expected.
            case .jump: watch.accept(frame: frame, at: time)
            case .settling, .stray: break
            }
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
