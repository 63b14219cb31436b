/// Where a metronome that is led puts its next beat, and how long that beat lasts: what `MetronomeControl.steer` takes.
@frozen
public struct BeatSteering: Sendable, Hashable, BitwiseCopyable {
    /// The instant of a beat, in frames of the metronome: that of the next one that is not struck yet, or of a near one.
    public var frame: Double
    /// The frames from one beat to the next.
    public var period: Double
    /// By how much the interval that ends with the beat may differ from the one before it, relative; above zero.
    public var most: Double

    /// A beat at a frame.
    @_noLocks public init(frame: Double, period: Double, most: Double = 0.03) {
        (self.frame, self.period, self.most) = (frame, period, most)
    }
}
