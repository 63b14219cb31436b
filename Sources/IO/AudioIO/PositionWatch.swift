internal import Music

/// Watches the position of a stream: keeps its clock, and detects when frames and time do not agree.
///
/// A sound server drops captured frames without notice when the program is slow, and nothing reports the gap after the
/// process was stopped. Both show as a jump of the position against the clock.
package struct PositionWatch: BitwiseCopyable, Sendable {
    /// When each frame is heard.
    package private(set) var clock: StreamClock
    /// How fast the card runs.
    package private(set) var rate: RateEstimate
    private let gate: Int64
    private var settledFrom: MonotonicTime?
    private var lastTime: MonotonicTime?
    private var strays = 0
    private var firstStray: Int64 = 0

    /// What an observation means.
    package enum Finding: Sendable, Hashable {
        /// The stream has just begun, or begun again: its position is not known yet.
        case settling
        /// The frame is where the clock expected it.
        case expected
        /// The frame is this far from where it was expected. The measurement may be disturbed.
        case stray(missingFrames: Int64)
        /// The stream has jumped: frames are missing (negative: too many) for the time that passed.
        case jump(missingFrames: Int64)
    }

    /// 250 ms: sound servers report nonsense for a period or two after a start.
    private static let settling: Duration = .milliseconds(250)
    /// A jump has to be seen this often in a row: the scheduler disturbs single measurements.
    private static let outliersForJump = 3

    /// A watch of a stream that has not begun.
    ///
    /// - Parameters:
    ///   - sampleRate: in frames per second, above zero.
    ///   - periodFrames: half of this is a jump, but not less than 1.5 ms: USB cards report their position in steps of a
    ///     millisecond.
    package init(sampleRate: Int, periodFrames: Int) {
        clock = StreamClock(sampleRate: sampleRate.hertz)
        rate = RateEstimate(sampleRate: sampleRate)
        gate = Int64(max(periodFrames / 2, sampleRate * 3 / 2_000))
    }

    /// Whether the position of the stream is known.
    package var isSettled: Bool {
        guard let settledFrom, let last = lastTime else { return false }
        return last >= settledFrom
    }

    /// Notes that the stream begins, or begins again after a break: its position is measured again, its rate is kept.
    package mutating func restart() {
        settledFrom = nil
        lastTime = nil
        strays = 0
        rate.noteBreak()
    }

    /// Notes that frames or time were lost, for the estimate of the rate.
    internal mutating func noteBreak() { rate.noteBreak() }

    /// Notes that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) -> Finding {
        let from = settledFrom ?? (time + PositionWatch.settling)
        (settledFrom, lastTime) = (from, time)
        if time < from {
            // Only the newest counts, and none goes into the slope.
            clock.reanchor()
            clock.observe(frame: frame, at: time)
            return .settling
        }
        if let expected = clock.frame(at: time), abs(expected - frame) > gate {
            let missing = expected - frame
            // Strays that disagree with each other are no jump: count from the newest.
            if strays == 0 || abs(missing - firstStray) > gate { (strays, firstStray) = (0, missing) }
            strays += 1
            if strays < PositionWatch.outliersForJump { return .stray(missingFrames: missing) }
            strays = 0
            rate.noteBreak()
            return .jump(missingFrames: missing)
        }
        strays = 0
        clock.observe(frame: frame, at: time)
        rate.observe(frame: frame, at: time)
        return .expected
    }

    /// Makes `frame` at `time` the new position of the stream, after a jump.
    package mutating func accept(frame: Int64, at time: MonotonicTime) {
        clock.reanchor()
        clock.observe(frame: frame, at: time)
    }
}
