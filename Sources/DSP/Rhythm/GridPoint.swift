public import Timebase

/// A point of the metronome's grid, at which a note may be played: a beat, a part of one, or a stroke of another voice.
///
/// Strokes of several voices at the same instant are one point.
public struct GridPoint: Sendable, BitwiseCopyable {
    /// The stroke: its instant, its place in the bar, and whether it is muted.
    public var stroke: BeatEvent
    /// Counts the bars in the order of playing, from 0. A bar that is repeated counts again.
    public var playedBar: Int64
    /// How many notes were assigned to it.
    internal var noteCount = 0

    @_noLocks package init(_ stroke: BeatEvent, playedBar: Int64) {
        (self.stroke, self.playedBar) = (stroke, playedBar)
    }

    /// What fills a queue before the first point.
    internal static var filler: GridPoint { GridPoint(.none, playedBar: 0) }

    /// Its instant, in frames of the metronome's time axis.
    public var instant: Double { @_noLocks get { Double(stroke.floorFrame) + stroke.fraction } }

    /// Whether it belongs to the count-in.
    public var isCountIn: Bool { @_noLocks get { stroke.section < 0 } }

    /// Its place in the order of playing, in bars from the first that was played.
    public var bars: Double {
        @_noLocks get {
            let part = Double(stroke.part) / Double(max(1, stroke.partsInBeat))
            return Double(playedBar) + (Double(stroke.beat - 1) + part) / Double(max(1, stroke.beatsInBar))
        }
    }
}
