/// A stroke with its exact place in time: what the click track strikes, and what a display shows when its frame is heard.
@frozen
public struct BeatEvent: Sendable, Hashable, BitwiseCopyable {
    /// The frame nearest to the instant; half a frame goes up.
    public var frame: Int64
    /// The frame at or before the instant.
    public var floorFrame: Int64
    /// How far after `floorFrame` the instant lies.
    public var fraction: Double
    /// The bar: 1 is the first after the count-in.
    public var bar: Int64
    /// The beat within the bar, from 1.
    public var beat: Int32
    /// How many beats the bar has.
    public var beatsInBar: Int32
    /// The note value of a beat: 4 for quarters.
    public var denominator: Int32
    /// 0: the beat itself; otherwise which part of it.
    public var part: Int32
    /// 0: the beat and its parts; otherwise which further voice.
    public var layer: Int32
    /// How much the stroke stands out.
    public var level: AccentLevel
    /// Counted and shown, but left out by a gap or at random.
    public var isMuted: Bool
    /// Not a stroke: the instant at which the plan ends. It is the last event, if there is one.
    public var isEnd: Bool
    /// A factor on the loudness.
    public var volume: Float
    /// The section of the plan; -1 in the count-in.
    public var section: Int32
    /// Quarter notes per minute at this moment.
    public var tempo: Double
    /// The levels of the first 32 beats of this bar, two bits each, the first beat lowest.
    public var barLevels: UInt64

    /// Whether it is a beat, and not a part of one, another voice or the end.
    public var isBeat: Bool { @_noLocks get { part == 0 && layer == 0 && !isEnd } }

    /// How far after `frame` the instant lies, -1/2 to 1/2 frame.
    public var fractionOfNearest: Double { @_noLocks get { frame == floorFrame ? fraction : fraction - 1 } }

    /// What a ring holds before the first event.
    public static var none: BeatEvent { BeatEvent() }

    @_noLocks internal init() {
        (frame, floorFrame, fraction, bar, beat, beatsInBar) = (Int64.max, Int64.max, 0, 0, 0, 0)
        (part, layer, level, isMuted, volume, section, tempo, barLevels) = (0, 0, .silent, false, 0, 0, 0, 0)
        (denominator, isEnd) = (4, false)
    }
}
