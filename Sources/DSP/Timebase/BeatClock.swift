public import Music

/// The exact frame of every beat of a steady tempo.
///
/// Beat `k` lies at `origin + k · 60 · sampleRate / bpm` frames, rounded to the nearest frame, half a frame upwards.
/// The quotient is kept as an integer fraction, so the error is at most half a frame for ever: there is no sum of
/// rounded intervals and no floating point.
///
/// - SeeAlso: Bresenham, "Algorithm for computer control of a digital plotter", IBM Systems Journal 4(1), 1965.
@frozen
public struct BeatClock: Sendable, BitwiseCopyable {
    /// The frame of beat 0.
    public let origin: Int64
    /// One beat in frames, exactly.
    public let period: Ratio

    /// A clock at `tempo` for a stream of `sampleRate` frames per second, beat 0 at frame `origin`.
    ///
    /// - Parameter sampleRate: a whole number from 1 to 16,777,216 frames per second.
    /// - Throws: `PlanError.unsupportedSampleRate`.
    public init(sampleRate: Hertz, tempo: Tempo, origin: Int64 = 0) throws(PlanError) {
        guard let rate = sampleRate.framesPerSecond else { throw .unsupportedSampleRate(sampleRate) }
        let beats = tempo.beatsPerMinute
        // At most 60 · 2^24 · 10^9 < 2^60 above the line and 10^12 below it: the fraction always fits.
        guard let period = Ratio(60 * Int64(rate) * beats.denominator, beats.numerator) else {
            preconditionFailure("a tempo's digits are bounded")
        }
        (self.origin, self.period) = (origin, period)
    }

    /// The frame nearest to beat `index`.
    ///
    /// - Parameter index: 0 to 10^12.
    /// - Complexity: O(1); one division of 128-bit integers.
    public func frame(ofBeat index: Int64) -> Int64 {
        precondition(index >= 0 && index <= 1_000_000_000_000, "a beat index goes from 0 to 10^12")
        let below = Int128(period.denominator)
        let doubled = 2 * Int128(index) * Int128(period.numerator) + below
        return origin + Int64(doubled / (2 * below))
    }
}
