internal import CRealtime
internal import Realtime

/// How much later than predicted each sound arrives, and by how much faster the microphone's clock runs: a Kalman filter.
///
/// The state is one delay per sound, in samples, and one common rate in samples per second. Sounds share the loudspeaker, the
/// room and the clocks, so what one tells about the rate is true for all.
/// - SeeAlso: Kalman, "A New Approach to Linear Filtering and Prediction Problems", J. Basic Engineering 82(1), 1960.
internal struct EchoDelays: ~Copyable, Sendable {
    /// Clocks of sound cards differ by 20 ppm or so.
    private static var rateDeviation: Double { @_noLocks get { 20e-6 } }
    /// The variance that a delay gains per second, in samples²: a player who leans forward by a millimetre.
    private static var delayDrift: Double { @_noLocks get { 1e-5 } }
    /// 0.1 ppm per second: crystals warm up.
    private static var rateDrift: Double { @_noLocks get { 1e-7 } }
    /// A sound that was heard once arrived where it was heard, to a hundredth of a sample.
    private static var firstVariance: Double { @_noLocks get { 1e-4 } }
    /// A click may be announced at a whole sample and its sound be anywhere within it: the variance of a uniform distribution.
    private static var rounding: Double { @_noLocks get { 1.0 / 12 } }
    /// 3 standard deviations: what lies beyond is a player's note, not a delay.
    private static var gate: Double { @_noLocks get { 9 } }

    private let size: Int
    private let sampleRate: Double
    private let state: SampleBuffer<Double>, covariance: SampleBuffer<Double>, gains: SampleBuffer<Double>
    private var time: Double?

    init(sounds: Int, sampleRate: Double) {
        size = sounds + 1
        self.sampleRate = sampleRate
        state = SampleBuffer(count: size)
        covariance = SampleBuffer(count: size * size)
        gains = SampleBuffer(count: size)
        reset()
    }

    @_noLocks mutating func reset() {
        for n in 0..<state.count { state.unsafeElements[n] = 0 }
        for n in 0..<covariance.count { covariance.unsafeElements[n] = 0 }
        let deviation = Self.rateDeviation * sampleRate
        covariance.unsafeElements[size * size - 1] = deviation * deviation
        time = nil
    }

    /// Begins again where it is: the echoes that are known lie at these delays.
    @_noLocks mutating func rewind() { time = nil }

    /// The delay of a sound that is predicted at `frame`.
    @_noLocks func delay(of sound: Int, at frame: Int64) -> Double {
        guard let time else { return state.unsafeElements[sound] }
        return state.unsafeElements[sound] + state.unsafeElements[size - 1] * (Double(frame) - time) / sampleRate
    }

    /// The present delay of a sound.
    @_noLocks func delay(of sound: Int) -> Double { state.unsafeElements[sound] }

    /// Moves the state on to a frame; one in the past changes nothing.
    @_noLocks mutating func advance(to frame: Int64) {
        guard let last = time else { return time = Double(frame) }
        guard Double(frame) > last else { return }
        let seconds = (Double(frame) - last) / sampleRate
        let (c, rate) = (covariance.unsafeElements, size - 1)
        for v in 0..<rate { state.unsafeElements[v] += seconds * state.unsafeElements[rate] }
        // F C Fᵀ, where F adds `seconds` times the last row to each other one.
        for v in 0..<rate { for k in 0..<size { c[v * size + k] += seconds * c[rate * size + k] } }
        for v in 0..<rate { for k in 0..<size { c[k * size + v] += seconds * c[k * size + rate] } }
        for v in 0..<rate { c[v * size + v] += Self.delayDrift * seconds }
        c[rate * size + rate] += Self.rateDrift * sampleRate * Self.rateDrift * sampleRate * seconds
        time = Double(frame)
    }

    /// The sound was heard for the first time: where it is, is its delay 0.
    @_noLocks mutating func begin(_ sound: Int) {
        let c = covariance.unsafeElements
        state.unsafeElements[sound] = 0
        for k in 0..<size { (c[sound * size + k], c[k * size + sound]) = (0, 0) }
        c[sound * size + sound] = Self.firstVariance
    }

    /// A sound arrived `innovation` samples later than expected, known to within `variance`.
    ///
    /// - Returns: how much later than expected this click was in all likelihood: the delay and what is its own.
    @_noLocks mutating func correct(_ sound: Int, by innovation: Double, variance: Double) -> Double {
        let c = covariance.unsafeElements
        let known = c[sound * size + sound] + Self.rounding
        let expected = known + variance
        guard innovation * innovation < Self.gate * expected else { return 0 }
        for k in 0..<size { gains.unsafeElements[k] = c[k * size + sound] / expected }
        for k in 0..<size { state.unsafeElements[k] += gains.unsafeElements[k] * innovation }
        // The row is used up before it changes: its own comes last.
        for k in 0..<size where k != sound {
            for j in 0..<size { c[k * size + j] -= gains.unsafeElements[k] * c[sound * size + j] }
        }
        let own = gains.unsafeElements[sound]
        for j in 0..<size { c[sound * size + j] *= 1 - own }
        return innovation * known / expected
    }

    /// Everything arrives `samples` later from now on: the loudspeaker, the microphone or a buffer has moved.
    @_noLocks mutating func jump(by samples: Double) {
        for v in 0..<(size - 1) {
            state.unsafeElements[v] += samples
            // Known to within a sample; the sounds keep their distances, so the filter moves them together.
            for k in 0..<(size - 1) { covariance.unsafeElements[v * size + k] += 1 }
        }
    }
}
