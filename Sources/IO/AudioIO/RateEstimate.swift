package import Music
internal import Realtime

/// The rate of a card by the system's clock and its standard error, from all of a stream.
///
/// `StreamClock` follows the crystal over ten seconds. This estimate uses all observations, and its standard error falls
/// with the 1.5th power of the time. A break, after which nobody knows how many frames were lost, costs the comparison of
/// what was before it with what comes after: the stretches between breaks share their rate. One whose rate is another, as
/// another card came back under the same name, begins anew.
package struct RateEstimate: BitwiseCopyable, Sendable {
    /// Frames per second, by the device's label.
    package let sampleRate: Int
    /// What was observed since the last break, and the stretches before that.
    private var fit = LineFit()
    private var earlier = SharedSlope()
    private var originFrame: Int64 = 0
    private var originTime = MonotonicTime(nanoseconds: 0)
    private var hasOrigin = false
    private var block = Block()

    /// In seconds. Errors within a block are not independent: a late wake-up is followed by an early one, and a server's
    /// position beats with the period. Without averaging, the standard error would be too small.
    private static let blockLength = 0.25
    /// Two seconds, or more where there were breaks: eight blocks, one of which tells the place of the line. Before that the
    /// standard error is not known to its own size.
    private static let fewest = 7

    private struct Block: BitwiseCopyable, Sendable {
        var start = 0.0
        var count = 0.0
        var sumX = 0.0
        var sumY = 0.0
    }

    /// An estimate without observations.
    package init(sampleRate: Int) {
        precondition(sampleRate > 0, "a stream's rate is above zero")
        self.sampleRate = sampleRate
    }

    /// Notes that frames or time were lost: what was observed tells the rate, but no longer the place.
    package mutating func noteBreak() {
        let known = all
        self = RateEstimate(sampleRate: sampleRate)
        earlier = known
    }

    /// The rate as a slope, of all stretches.
    private var all: SharedSlope { earlier.joined(with: SharedSlope(fit), fewest: RateEstimate.fewest) }

    /// Notes that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) {
        if !hasOrigin { (originFrame, originTime, hasOrigin) = (frame, time, true) }
        // As in StreamClock: x is the time by the label, y how much later it was.
        let x = Double(frame - originFrame) / Double(sampleRate)
        let y = (time - originTime).inSeconds - x
        if x - block.start >= RateEstimate.blockLength, block.count > 0 {
            fit.add(x: block.sumX / block.count, y: block.sumY / block.count)
            block = Block(start: x)
        }
        block.count += 1
        block.sumX += x
        block.sumY += y
    }

    /// How much faster than its label the card runs; `nil` in the first two seconds.
    package var error: PartsPerMillion? {
        let all = all
        return all.independentPoints < RateEstimate.fewest ? nil : PartsPerMillion(ratio: 1 / (1 + all.slope))
    }

    /// The standard error (one σ) of `error`; `nil` in the first two seconds.
    package var standardError: PartsPerMillion? {
        let all = all
        return all.independentPoints < RateEstimate.fewest ? nil : PartsPerMillion(all.standardError * 1e6)
    }

    /// How much of the stream it rests on.
    package var observed: Duration { .seconds(all.length) }
}
