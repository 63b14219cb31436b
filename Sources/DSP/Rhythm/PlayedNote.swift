internal import Timebase

/// A note of the player, compared with the metronome's grid.
public struct PlayedNote: Sendable, BitwiseCopyable {
    /// Counts the notes, from 0.
    public var number: Int
    /// When it began, in frames of the metronome's time axis.
    public var frame: Double
    /// The nearest point of the grid.
    public var point: GridPoint
    /// Whether it belongs to no point: it is too far from all of them, or the point has its note already.
    public var isExtra: Bool
    /// Whether it is near enough to belong to the point, as the only note there.
    internal var isNear: Bool
    /// How it begins. The time of a soft attack is a trend, not a measurement to the millisecond.
    public var kind: Onset.Kind
    /// How much new sound there is: see `Onset.strength`.
    public var strength: Double
    /// In seconds.
    internal var late: Double, standardError: Double

    /// A note that was so much later than its point, in seconds.
    package init(
        at point: GridPoint, late: Double, standardError: Double = 0.0003, kind: Onset.Kind = .sharp,
        isExtra: Bool = false
    ) {
        self.init(Onset(), frame: point.instant, point: point, isNear: !isExtra, sampleRate: 1)
        (self.late, self.standardError, self.kind) = (late, standardError, kind)
    }

    @_noLocks internal init(_ onset: Onset, frame: Double, point: GridPoint, isNear: Bool, sampleRate: Double) {
        (number, self.frame, self.point, self.isNear, isExtra) = (0, frame, point, isNear, !isNear)
        (kind, strength, standardError) = (onset.kind, onset.strength, onset.standardError)
        late = (frame - point.instant) / sampleRate
    }

    /// What fills a queue before the first note.
    internal static var filler: PlayedNote {
        PlayedNote(Onset(), frame: 0, point: GridPoint.filler, isNear: false, sampleRate: 1)
    }

    /// How much later than the point it was played; below zero if it was early.
    public var lateness: Duration { .seconds(late) }
    /// The standard error of `lateness`: two notes out of three lie within it.
    public var uncertainty: Duration { .seconds(standardError) }
    /// Whether its point is muted: the player kept time alone.
    public var isMuted: Bool { point.stroke.isMuted }
}
