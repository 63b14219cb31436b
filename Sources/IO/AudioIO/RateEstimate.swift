package import Music
internal import Realtime

/// How fast a card runs by the system's clock, from all of a stream since its last break, with the error of that.
///
/// Unlike `StreamClock`, which forgets after ten seconds so that it can follow a crystal, this remembers everything:
/// the standard error falls with the 1.5th power of the time.
package struct RateEstimate: BitwiseCopyable, Sendable {
    /// Frames per second, by the device's label.
    package let sampleRate: Int
    private var fit = LineFit()
    private var originFrame: Int64 = 0
    private var originTime = MonotonicTime(nanoseconds: 0)
    private var hasOrigin = false
    private var block = Block()

    /// Observations of a quarter of a second are averaged: one by one their errors are not independent (a late
    /// wake-up is followed by an early one, a server's position beats with the period), and the standard error would
    /// be told too small.
    private static let blockLength = 0.25
    /// Two seconds; before that the error of the error is larger than the error.
    private static let fewestBlocks = 8

    private struct Block: BitwiseCopyable, Sendable {
        var start = 0.0
        var count = 0.0
        var sumX = 0.0
        var sumY = 0.0
    }

    /// An estimate that has seen nothing.
    package init(sampleRate: Int) {
        precondition(sampleRate > 0, "a stream's rate is above zero")
        self.sampleRate = sampleRate
    }

    /// Forgets everything: frames were lost, and with them the relation to time.
    package mutating func restart() { self = RateEstimate(sampleRate: sampleRate) }

    /// Takes in that `frame` was at the converter at `time`.
    package mutating func observe(frame: Int64, at time: MonotonicTime) {
        if !hasOrigin { (originFrame, originTime, hasOrigin) = (frame, time, true) }
        // As in StreamClock: x counts seconds by the label, y how much later it is than that.
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

    /// By how much the card is faster than its label; `nil` in the first two seconds.
    package var error: PartsPerMillion? {
        fit.count < RateEstimate.fewestBlocks ? nil : PartsPerMillion(ratio: 1 / (1 + fit.slope))
    }

    /// The standard error (one σ) of `error`; `nil` in the first two seconds.
    package var standardError: PartsPerMillion? {
        fit.count < RateEstimate.fewestBlocks ? nil : PartsPerMillion(fit.slopeStandardError * 1e6)
    }

    /// How much of the stream has gone into it.
    package var observed: Duration { .seconds(fit.count > 0 ? fit.lastX : 0) }
}
