internal import CRealtime
public import Music
internal import Realtime
internal import Spectral

/// McLeod's pitch method: the first high peak of the normalised difference function.
///
/// Between each upward and the next downward zero crossing the highest point is a key maximum; the pitch period is the
/// first key maximum that reaches 0.93 times the highest one. Memoryless: each window is judged by itself.
///
/// - Complexity: one FFT of about twice the window and its inverse per hop. No allocation after `init`.
/// - SeeAlso: McLeod & Wyvill, "A Smarter Way to Find Pitch", ICMC 2005.
@_spi(Engine) public struct McLeodDetector: ~Copyable, PitchDetector, Sendable {
    /// How many samples lie between two readings.
    public let hop: Int
    /// How many samples one reading rests on: 85.3 ms, 2.3 periods of the lowest A.
    public let windowLength: Int

    /// Hertz of the longest period that is looked for: a semitone below A0, the lowest note of a piano.
    static var lowestPitch: Double { 26 }
    /// How much of the highest key maximum the first one must reach: the paper's k, which it has from 0.8 to 1. Lower ones
    /// read octaves too high, higher ones too low.
    private static var firstShare: Double { @_noLocks get { 0.93 } }
    /// The clarity from which on a window is voiced: noise lies 6 dB below the tone. White noise stays below 0.3.
    static var leastClarity: Double { @_noLocks get { 0.8 } }

    private let sampleRate: Double
    private let longestPeriod: Int
    private var difference: NormalizedDifference
    private let window: SampleBuffer<Float>

    /// A detector for one sample rate. Allocates.
    ///
    /// - Parameters:
    ///   - sampleRate: 8 to 192 kHz.
    ///   - hop: samples between readings, 1 to 50 ms; by default 5.33 ms.
    public init(sampleRate: Hertz, hop: Int? = nil) throws(PitchError) {
        let hop = try PitchRange.hop(hop, sampleRate: sampleRate)
        let windowLength = Int(rt_ceil(sampleRate.value * 4_096 / 48_000))
        let longestPeriod = Int(rt_ceil(sampleRate.value / Self.lowestPitch)) + 1
        difference = try makeNormalizedDifference(longestWindow: windowLength, longestLag: longestPeriod)
        self.hop = hop
        self.sampleRate = sampleRate.value
        self.windowLength = windowLength
        self.longestPeriod = longestPeriod
        window = SampleBuffer(count: windowLength)
    }

    /// Reads the pitch at the end of `window`.
    @_noLocks public mutating func reading(of window: borrowing Span<Float>, endingAt frame: Int64) -> PitchReading {
        let power = meanSquare(of: window, newest: hop)
        let level = Decibels(power: power)
        guard power > PitchRange.silence() else { return PitchReading(frame: frame, state: .silence, level: level) }
        let samples = self.window.unsafeElements
        copyWithoutMean(window, to: samples)
        difference.measure(samples, lags: longestPeriod)
        guard
            let period = keyMaximum(
                difference.values, from: sampleRate / PitchRange.highest(), count: longestPeriod + 1,
                share: Self.firstShare)
        else { return PitchReading(frame: frame, state: .unvoiced, level: level) }
        let clarity = min(1, max(0, period.height))
        let isVoiced = clarity >= Self.leastClarity
        var reading = PitchReading(
            frame: frame, state: isVoiced ? .voiced : .unvoiced, level: level, clarity: clarity)
        if isVoiced {
            reading.frequency = Hertz(sampleRate / period.lag)
            reading.periodicity = reading.frequency
            reading.window = Int32(windowLength)
        }
        return reading
    }

    /// Nothing is remembered between readings.
    @_noLocks public mutating func reset() {}
}

/// A normalised difference, its error told as ours.
func makeNormalizedDifference(
    longestWindow: Int, longestLag: Int
) throws(PitchError) -> NormalizedDifference {
    do throws(SpectralError) {
        return try NormalizedDifference(longestWindow: longestWindow, longestLag: longestLag)
    } catch { throw .spectral(error) }
}

/// Copies a window and takes its mean away: an offset correlates with itself at every lag.
@_noLocks func copyWithoutMean(_ window: borrowing Span<Float>, to samples: UnsafeMutableBufferPointer<Float>) {
    var sum = 0.0
    for n in 0..<window.count { sum += Double(window[n]) }
    let mean = Float(sum / Double(max(1, window.count)))
    for n in 0..<window.count { samples[n] = window[n] - mean }
}

/// The first key maximum of at least `share` times the highest one, at lags of at least `from`.
@_noLocks func keyMaximum(
    _ values: UnsafeMutableBufferPointer<Float>, from shortest: Double, count: Int, share: Double
) -> (lag: Double, height: Double)? {
    var highest = 0.0
    var lag = 0
    // Two passes over the same peaks: the highest must be known before the first high one can be.
    while let peak = nextKeyMaximum(values, after: &lag, count: count) {
        if peak.lag >= shortest && peak.height > highest { highest = peak.height }
    }
    guard highest > 0 else { return nil }
    lag = 0
    while let peak = nextKeyMaximum(values, after: &lag, count: count) {
        if peak.lag >= shortest && peak.height >= share * highest { return peak }
    }
    return nil
}

/// The highest point between the next upward zero crossing after `lag` and the downward one that follows.
///
/// `lag` moves past it. The peak that the end of the values cuts off counts only if it has passed its top.
@_noLocks func nextKeyMaximum(
    _ values: UnsafeMutableBufferPointer<Float>, after lag: inout Int, count: Int
) -> (lag: Double, height: Double)? {
    while true {
        while lag < count && values[lag] > 0 { lag += 1 }
        while lag < count && values[lag] <= 0 { lag += 1 }
        if lag >= count { return nil }
        var top = lag
        while lag < count && values[lag] > 0 {
            if values[lag] > values[top] { top = lag }
            lag += 1
        }
        if top > 0 && top + 1 < count {
            let peak = parabolicPeak(values[top - 1], values[top], values[top + 1])
            return (Double(top) + peak.offset, peak.height)
        }
    }
}
