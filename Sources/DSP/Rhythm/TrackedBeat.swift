/// A beat of what is heard.
///
/// It is told some 60 ms after it sounds, so that the note on it, if there is one, has its final time.
public struct TrackedBeat: Sendable, BitwiseCopyable {
    /// Counts the beats told, from 0.
    public var number = 0
    /// When it is, in samples from the start of the stream: usually between two.
    public var frame = 0.0
    /// Whether a note begins on it; then `frame` is the time of that note. Otherwise it is where the beat has to be.
    public var isHeard = false
    /// The standard error of `frame`: two beats out of three lie within it.
    public var uncertainty: Duration { .nanoseconds(Int64((standardError * 1e9).rounded())) }
    /// The tempo at this beat.
    public var tempo = TempoEstimate()
    /// How many samples had come in when this was told; the difference from `frame` is the delay.
    public var toldAt: Int64 = 0
    /// In seconds.
    internal var standardError = 0.0

    @_noLocks internal init() {}
}
