public import Timebase

/// A beat as it was placed into the sound: what a display shows when its frame is heard.
@frozen
public struct BeatEvent: Sendable, Hashable, BitwiseCopyable {
    /// The frame at which the beat lies, counted from the start of the stream.
    public var frame: Int64
    /// The bar, from 1.
    public var bar: Int64
    /// The beat within the bar, from 1.
    public var beat: Int32
    /// How many beats this bar has.
    public var beatsInBar: Int32
    /// How much the beat stands out.
    public var level: AccentLevel

    /// An event.
    @_noLocks public init(frame: Int64, bar: Int64, beat: Int32, beatsInBar: Int32, level: AccentLevel) {
        (self.frame, self.bar, self.beat, self.beatsInBar, self.level) = (frame, bar, beat, beatsInBar, level)
    }

    /// What a ring holds before the first event.
    public static var none: BeatEvent { BeatEvent(frame: 0, bar: 0, beat: 0, beatsInBar: 0, level: .silent) }
}
