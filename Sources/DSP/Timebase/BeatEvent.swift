/// A stroke with its exact instant: what the click track plays, and what a display shows when its frame is heard.
public struct BeatEvent: Sendable, Hashable, BitwiseCopyable {
    /// The frame nearest to the instant; halves round up.
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
    /// The note value of a beat: that of the meter, without a meter the one that the tempo counts.
    public var beatValue: NoteValue
    /// 0: the beat itself; otherwise which part of it.
    public var part: Int32
    /// How many parts the beat has; 1 for other voices.
    public var partsInBeat: Int32
    /// 0: the beat and its parts; otherwise which further voice.
    public var layer: Int32
    /// How much the stroke stands out.
    public var level: AccentLevel
    /// Whether a gap, a random mute or `MetronomeControl.mute` silences it; it is counted and shown all the same.
    public var isMuted: Bool
    /// Whether this is no stroke but the end of the plan; the last event, if the plan ends.
    public var isEnd: Bool
    /// A linear factor on the loudness.
    public var volume: Float
    /// The section of the plan; -1 in the count-in.
    public var section: Int32
    /// The tempo at this instant: how many of `countedValue` there are per minute.
    public var tempo: Double
    /// The note value that the tempo counts: that of the beat, unless the plan names another.
    public var countedValue: NoteValue
    package var barLevels = BarLevels()

    /// The level of any beat of this bar, counted from 1; `nil` beyond the 32 that an event has room for.
    public func level(ofBeat beat: Int) -> AccentLevel? { barLevels[beat: beat] }

    /// Whether it is a beat, and not a part of one, another voice or the end.
    public var isBeat: Bool { @_noLocks get { part == 0 && layer == 0 && !isEnd } }

    /// Whether it is heard: a stroke that is neither silent nor muted.
    public var sounds: Bool { @_noLocks get { !isEnd && !isMuted && AccentLevel.silent < level } }

    /// How far after `frame` the instant lies, -1/2 to 1/2 frame.
    public var fractionOfNearest: Double { @_noLocks get { frame == floorFrame ? fraction : fraction - 1 } }

    /// How long a beat lasts at this tempo, in seconds.
    package var beatSeconds: Double {
        @_noLocks get {
            let counted = Double(countedValue.share.numerator) / Double(countedValue.share.denominator)
            return 60 / tempo * Double(beatValue.share.numerator) / Double(beatValue.share.denominator) / counted
        }
    }

    /// The value that fills a ring before the first event.
    public static var none: BeatEvent { BeatEvent() }

    @_noLocks internal init() {
        (frame, floorFrame, fraction, bar, beat, beatsInBar) = (Int64.max, Int64.max, 0, 0, 0, 0)
        (part, partsInBeat, layer, level, isMuted, volume, section, tempo) = (0, 1, 0, .silent, false, 0, 0, 0)
        (beatValue, countedValue, isEnd) = (.quarter, .quarter, false)
    }
}
