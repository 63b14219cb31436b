internal import CRealtime
internal import Music

/// Anything that can tell the pitch at the end of a window of sound.
///
/// Conform to it to run a detector of your own in a `PitchTracker`. The tracker cuts the stream: the detector always
/// sees the newest `windowLength` samples, of which the last `hop` are new. Write `@_noLocks` on the witness too; the
/// attribute is not inherited from the requirement.
public protocol PitchDetector: ~Copyable {
    /// How many samples lie between two readings.
    var hop: Int { @_noLocks get }
    /// How many of the newest samples the detector wants to see.
    var windowLength: Int { @_noLocks get }
    /// Reads the pitch at the end of `window`.
    ///
    /// - Parameters:
    ///   - window: `windowLength` finite samples, oldest first, full scale ±1; before the stream began they are 0.
    ///   - frame: the index of the sample after the last one of the window, counted from the start of the stream.
    @_noLocks mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading
    /// Forgets all sound so far.
    @_noLocks mutating func reset()
}

/// The range of pitch and the sizes that follow from it, for one sample rate.
struct PitchRange: Sendable {
    /// Four semitones below the piano's lowest A (27.5 Hz): 1.8 periods fit a window of 85 ms.
    @_noLocks static func lowest() -> Double { 21.3 }
    /// Half a semitone above the piccolo's and the glockenspiel's F8 (5,588 Hz).
    @_noLocks static func highest() -> Double { 5_750 }
    /// Quieter than this (-70 dB of full scale, as a power) is silence.
    @_noLocks static func silence() -> Double { 1e-7 }

    /// The hop to use, once rate and hop are known to be possible. Unless asked for: the multiple of 16 samples (at the
    /// rate that `NoteSizes` works at) nearest to 5.33 ms, so that every copy of the sound gets whole samples per hop.
    static func hop(_ asked: Int?, sampleRate: Hertz) throws(PitchError) -> Int {
        guard sampleRate.value >= 8_000, sampleRate.value <= 192_000 else { throw .unsupportedSampleRate(sampleRate) }
        let unit = 16 * NoteSizes.base(for: sampleRate.value)
        let hop = asked ?? unit * Int(rt_round(sampleRate.value * 256 / 48_000 / Double(unit)))
        guard Double(hop) >= sampleRate.value * 0.000_99, Double(hop) <= sampleRate.value * 0.05 else {
            throw .unsupportedHop(hop)
        }
        return hop
    }
}

/// The mean of the squares of the newest `count` samples of a window.
@_noLocks func meanSquare(of window: borrowing Span<Float>, newest count: Int) -> Double {
    var n = window.count - count
    precondition(n >= 0, "more samples than the window holds")
    var sums = SIMD4<Double>.zero
    while n + 4 <= window.count {
        let x = SIMD4<Double>(
            Double(window[unchecked: n]), Double(window[unchecked: n &+ 1]), Double(window[unchecked: n &+ 2]),
            Double(window[unchecked: n &+ 3]))
        sums += x * x
        n += 4
    }
    var sum = sums.sum()
    while n < window.count {
        sum += Double(window[n]) * Double(window[n])
        n += 1
    }
    return sum / Double(max(1, count))
}
