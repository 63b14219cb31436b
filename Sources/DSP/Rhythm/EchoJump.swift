internal import CRealtime
internal import Realtime

/// Finds out whether a prediction has failed, and whether the click has arrived earlier or later as a whole.
///
/// A shift of more than a few samples is too far for the derivative of the prediction. The correlation of what was heard with
/// the prediction shows it, unless a player was louder.
internal struct EchoJump: ~Copyable, Sendable {
    /// 10 ms to either side: 3.4 m, or a block of a sound card.
    private static var reachSeconds: Double { @_noLocks get { 0.01 } }
    /// The first 50 ms: the click itself and its first echoes.
    private static var lengthSeconds: Double { @_noLocks get { 0.05 } }
    /// As long as half of the click's energy is gone, the prediction was right.
    private static var suspicious: Double { @_noLocks get { 0.5 } }
    /// How much alike both must be: a player who sounds at the same time makes them less so.
    private static var alike: Double { @_noLocks get { 0.8 } }

    private let reach: Int, length: Int
    /// What was heard, and the prediction with silence on both sides.
    private let heard: SampleBuffer<Float>, padded: SampleBuffer<Float>

    init(sizes: EchoSizes) {
        reach = Int(Self.reachSeconds * sizes.sampleRate)
        length = min(sizes.length - reach, Int(Self.lengthSeconds * sizes.sampleRate))
        heard = SampleBuffer(count: length)
        padded = SampleBuffer(count: length + 2 * reach)
    }

    /// Whether more than half of a click's energy is left.
    @_noLocks func hasFailed(_ remainder: UnsafePointer<Float>, _ prediction: UnsafePointer<Float>) -> Bool {
        let predicted = Double(dotProduct(prediction, prediction, length))
        return predicted > 0 && Double(dotProduct(remainder, remainder, length)) > Self.suspicious * predicted
    }

    /// By how many samples later the click has arrived; `nil` if it is where it was predicted or cannot be told.
    ///
    /// - Parameters:
    ///   - remainder: what was left after the subtraction.
    ///   - prediction: what was subtracted.
    @_noLocks mutating func find(_ remainder: UnsafePointer<Float>, _ prediction: UnsafePointer<Float>) -> Double? {
        let predicted = Double(dotProduct(prediction, prediction, length))
        guard hasFailed(remainder, prediction), let x = heard.unsafeElements.baseAddress,
            let p = padded.unsafeElements.baseAddress
        else { return nil }
        for n in 0..<length { x[n] = remainder[n] + prediction[n] }
        for n in 0..<padded.count { p[n] = n < reach || n >= reach + length ? 0 : prediction[n - reach] }
        let energy = Double(dotProduct(x, x, length))
        var (best, place): (Float, Int) = (0, 0)
        for lag in -reach...reach {
            let value = dotProduct(x, p + reach - lag, length)
            if value > best { (best, place) = (value, lag) }
        }
        guard abs(place) >= 1, abs(place) < reach, Double(best) > Self.alike * rt_sqrt(energy * predicted) else {
            return nil
        }
        // The top of a parabola through three values.
        let before = Double(dotProduct(x, p + reach - place + 1, length))
        let after = Double(dotProduct(x, p + reach - place - 1, length))
        let bend = before + after - 2 * Double(best)
        return Double(place) + (bend < 0 ? (before - after) / (2 * bend) : 0)
    }
}
