/// A tempo and how sure it is.
public struct TempoEstimate: Sendable, BitwiseCopyable {
    /// Beats per minute, 40 to 240; 0 when there is none.
    public var beatsPerMinute = 0.0
    /// The standard error (one σ) of that: of the slope of the line through the last beats.
    public var standardError = 0.0
    /// How many beats the line goes through: those since the tempo last changed, 64 at most. 0: the tempo is that of
    /// the likeliest state, and its error 2 %, or a quarter while the confidence is below one half.
    public var beatCount = 0
    /// How much of all probability lies within 4 % of this tempo, 0 to 1. Half or twice the tempo is another tempo.
    public var confidence = 0.0

    @_noLocks internal init() {}
}
