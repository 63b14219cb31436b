/// Watches a stream's position: keeps its clock, and notices when frames and time come apart.
///
/// A sound server drops captured frames without a word when the program is slow, and a stopped process leaves a hole
/// that nobody reports. Both show here and nowhere else: the position jumps against the clock.
package struct PositionWatch: BitwiseCopyable, Sendable {
    /// When each frame is heard.
    package private(set) var clock: StreamClock
    /// How fast the card runs, since the last break.
    package private(set) var rate: RateEstimate
    private let gate: Int64
    private var settledFrom: MonotonicTime?
    private var lastTime: MonotonicTime?
    private var strays = 0
    private var firstStray: Int64 = 0

    /// What an observation said.
    package enum Finding: Sendable, Hashable {
        /// The stream has just begun, or begun again: its place is not settled yet.
        case settling
        /// Where the clock expected it.
        case expected
        /// Elsewhere by so many frames, which may be this one measuring's fault.
        case stray(missingFrames: Int64)
        /// Elsewhere for good: so many frames fewer (or, below zero, more) than the time that passed calls for.
        case jump(missingFrames: Int64)
    }

    /// 250 ms: sound servers report nonsense for a period or two after a start.
    private static let settling: Duration = .milliseconds(250)
    /// A jump has to be seen this often in a row: a single stray is a measuring interrupted by the scheduler.
    private static let straysToBelieve = 3

    /// A watch over a stream that has not begun.
    ///
    /// - Parameters:
    ///   - sampleRate: the granted rate, above zero.
    ///   - periodFrames: a jump of half of this counts, and of 1.5 ms at least: USB cards report their position in
    ///     steps of a millisecond.
    package init(sampleRate: Int, periodFrames: Int) {
        clock = StreamClock(sampleRate: sampleRate)
        rate = RateEstimate(sampleRate: sampleRate)
        gate = Int64(max(periodFrames / 2, sampleRate * 3 / 2_000))
    }

    /// Whether the place of the stream is known.
    package var isSettled: Bool {
        guard let settledFrom, let last = lastTime else { return false }
        return last >= settledFrom
    }

    /// The stream begins, or begins again after a break: its place is to be found anew; its rate is remembered.
    package mutating func restart() {
        settledFrom = nil
        lastTime = nil
        strays = 0
        rate.restart()
    }

    /// Begins the estimate of the rate anew: frames or time were lost.
    package mutating func forgetRate() { rate.restart() }

    /// Takes in that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) -> Finding {
        let from = settledFrom ?? (time + PositionWatch.settling)
        (settledFrom, lastTime) = (from, time)
        if time < from {
            // The newest is the best there is; nothing of this goes into the slope.
            clock.reanchor()
            clock.observe(frame: frame, at: time)
            return .settling
        }
        if let expected = clock.frame(at: time), abs(expected - frame) > gate {
            let missing = expected - frame
            // Strays that disagree among themselves are not a jump but a mess: count from the newest.
            if strays == 0 || abs(missing - firstStray) > gate { (strays, firstStray) = (0, missing) }
            strays += 1
            if strays < PositionWatch.straysToBelieve { return .stray(missingFrames: missing) }
            strays = 0
            rate.restart()
            return .jump(missingFrames: missing)
        }
        strays = 0
        clock.observe(frame: frame, at: time)
        rate.observe(frame: frame, at: time)
        return .expected
    }

    /// Takes `frame` at `time` for the stream's new place, without a restart: after a jump that was believed.
    package mutating func accept(frame: Int64, at time: MonotonicTime) {
        clock.reanchor()
        clock.observe(frame: frame, at: time)
    }
}
