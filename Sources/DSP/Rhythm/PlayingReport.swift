internal import Music
internal import Realtime
internal import Timebase

/// How a player kept time: what a take says as a whole, for each place in the bar, and for muted bars.
///
/// ```swift
/// func finish(_ engine: inout ListeningEngine) {
///     var report = PlayingReport()
///     while let note = engine.nextNote() { report.add(note) }
///     while let point = engine.nextPoint() { report.add(point) }
///     if let timing = report.timing { print(timing.mean, timing.spread ?? .zero) }
/// }
/// ```
///
/// Notes of the count-in do not count. A value: copies are snapshots.
public struct PlayingReport: Sendable {
    /// All notes in the order in which they were told.
    public private(set) var notes: [PlayedNote] = []
    /// The points of the grid that are over.
    public private(set) var points: [GridPoint] = []

    /// A report of nothing.
    public init() {}

    /// Adds a note.
    ///
    /// Of several at one point, one is the note and the others are extra: the nearest, or one that is twice as strong, such as
    /// the stroke after a flam's grace note.
    public mutating func add(_ note: PlayedNote) {
        guard !note.point.isCountIn else { return }
        notes.append(note)
        let (new, instant) = (notes.count - 1, note.point.instant)
        let rival = notes.indices.suffix(8).last { index in
            index != new && !notes[index].isExtra && notes[index].point.instant == instant
        }
        guard note.isNear, let rival else { return }
        let (a, b) = (note, notes[rival])
        let wins =
            a.strength > 2 * b.strength || b.strength <= 2 * a.strength && abs(a.late) < abs(b.late)
        (notes[new].isExtra, notes[rival].isExtra) = (!wins, wins)
    }

    /// Adds a point that is over, so that missed notes are counted.
    public mutating func add(_ point: GridPoint) {
        guard !point.isCountIn else { return }
        points.append(point)
    }

    /// The notes that belong to a point.
    public var hits: [PlayedNote] { notes.filter { !$0.isExtra } }

    /// How many notes belong to no point.
    public var extraCount: Int { notes.count - hits.count }

    /// Whether most attacks are soft: the figures are then a trend, and no single note is timed to the millisecond.
    public var isTrend: Bool {
        let hits = hits
        return 2 * hits.count { $0.kind == .sharp } < hits.count
    }

    /// Mean and spread of the notes at points that are heard. `nil`: there is none.
    public var timing: LatenessStatistics? { LatenessStatistics(hits.filter { !$0.isMuted }) }

    /// The same of notes at muted points, where the player was alone.
    public var mutedTiming: LatenessStatistics? { LatenessStatistics(hits.filter(\.isMuted)) }

    /// The change of the lateness from bar to bar, by a straight line through the notes at points that are heard; `nil` of fewer
    /// than three notes that are certain enough, or of notes in one place.
    public var tendency: TempoTendency? {
        let notes = hits.filter { !$0.isMuted }
        guard let spread = LatenessStatistics(notes)?.spread?.inSeconds else { return nil }
        var fit = LineFit()
        for note in notes {
            let weight = LatenessStatistics.weight(of: note, variance: spread * spread)
            fit.add(x: note.point.bars, y: note.late, weight: weight)
        }
        guard fit.spread > 0, fit.slopeStandardError.isFinite else { return nil }
        return TempoTendency(perBar: .seconds(fit.slope), standardError: .seconds(fit.slopeStandardError))
    }
}
