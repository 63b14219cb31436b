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
    /// The search takes so many steps, as many as an echo has frames.
    static var steps: Int { @_noLocks get { 33 } }

    private let reach: Int, length: Int
    /// What was heard, and the prediction with silence on both sides.
    private let heard: SampleBuffer<Float>, padded: SampleBuffer<Float>
    /// The largest correlation so far, and its shift.
    private var best: Float = 0, place = 0
    private var energy = 0.0, predicted = 0.0

    init(sizes: EchoSizes) {
        reach = Int(Self.reachSeconds * sizes.sampleRate)
        length = min(sizes.length - reach, Int(Self.lengthSeconds * sizes.sampleRate))
        heard = SampleBuffer(count: length)
        padded = SampleBuffer(count: length + 2 * reach)
    }

    /// Begins a search if more than half of a click's energy is left.
    ///
    /// - Parameters:
    ///   - remainder: what was left after the subtraction.
    ///   - prediction: what was subtracted.
    /// - Returns: whether it is.
    @_noLocks mutating func begin(_ remainder: UnsafePointer<Float>, _ prediction: UnsafePointer<Float>) -> Bool {
        predicted = Double(dotProduct(prediction, prediction, length))
        guard predicted > 0, Double(dotProduct(remainder, remainder, length)) > Self.suspicious * predicted,
            let x = heard.unsafeElements.baseAddress, let p = padded.unsafeElements.baseAddress
        else { return false }
        for n in 0..<length { x[n] = remainder[n] + prediction[n] }
        for n in 0..<padded.count { p[n] = n < reach || n >= reach + length ? 0 : prediction[n - reach] }
        energy = Double(dotProduct(x, x, length))
        (best, place) = (0, 0)
        return true
    }

    /// Tries some of the shifts; `step` goes from 0 to `steps`.
    @_noLocks mutating func search(step: Int) {
        let count = 2 * reach + 1
        for index in (step * count / Self.steps)..<((step + 1) * count / Self.steps) {
            let value = correlation(index - reach)
            if value > best { (best, place) = (value, index - reach) }
        }
    }

    /// By how many samples later the click has arrived; `nil` if it is where it was predicted or cannot be told.
    @_noLocks func found() -> Double? {
        guard abs(place) >= 1, abs(place) < reach, Double(best) > Self.alike * rt_sqrt(energy * predicted) else {
            return nil
        }
        // The top of a parabola through three values.
        let (before, after) = (Double(correlation(place - 1)), Double(correlation(place + 1)))
        let bend = before + after - 2 * Double(best)
        return Double(place) + (bend < 0 ? (before - after) / (2 * bend) : 0)
    }

    /// Of what was heard with the prediction so many samples later.
    @_noLocks private func correlation(_ lag: Int) -> Float {
        guard let x = UnsafePointer(heard.unsafeElements.baseAddress),
            let p = UnsafePointer(padded.unsafeElements.baseAddress)
        else { return 0 }
        return dotProduct(x, p + reach - lag, length)
    }
}
