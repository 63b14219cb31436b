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
///
/// Figures are of the whole take, however long it is. Notes, points and bars themselves are kept for a bounded time, so that a
/// session may last for weeks.
/// - Complexity: adding a note or a point is O(1), and so are `timing` and `tendency`.
public struct PlayingReport: Sendable {
    /// The newest notes in the order in which they were told: `mostKept` of them at least.
    public private(set) var notes: [PlayedNote] = []
    /// The newest points of the grid that are over, as many.
    public private(set) var points: [GridPoint] = []
    /// How many notes were told.
    public private(set) var noteCount = 0
    /// How many notes, points and bars are kept.
    public let mostKept: Int

    /// Of all notes but the newest.
    private var totals = PlayingTotals()
    internal var places = PlaceCounts()
    internal var playedBars: PlayedBars
    /// How many of the newest notes may still become extra, or a note: they are in no sum yet.
    private var openCount = 0

    /// So many notes are compared with a new one.
    private static let rivals = 8

    /// A report of nothing.
    ///
    /// - Parameter most: how many notes, points and bars are kept, at least 16; by default 65,536, nine hours of two notes a
    ///   second and 50 MB.
    public init(keeping most: Int = 65_536) {
        mostKept = max(16, most)
        playedBars = PlayedBars(most: mostKept)
    }

    /// Adds a note.
    ///
    /// Of several at one point, one is the note and the others are extra: the nearest, or one that is twice as strong, such as
    /// the stroke after a flam's grace note.
    public mutating func add(_ note: PlayedNote) {
        guard !note.point.isCountIn else { return }
        if openCount == Self.rivals { settle(notes[notes.count - openCount]) }
        openCount += 1
        noteCount += 1
        notes.append(note)
        let (new, instant) = (notes.count - 1, note.point.instant)
        let rival = notes.indices.suffix(Self.rivals).last { index in
            index != new && !notes[index].isExtra && notes[index].point.instant == instant
        }
        if note.isNear, let rival {
            let (a, b) = (note, notes[rival])
            let wins = a.strength > 2 * b.strength || b.strength <= 2 * a.strength && abs(a.late) < abs(b.late)
            (notes[new].isExtra, notes[rival].isExtra) = (!wins, wins)
        }
        if !note.isExtra { places.begin(note.point) }
        playedBars.open(note.point)
        if notes.count > mostKept + mostKept / 8 { notes.removeFirst(notes.count - mostKept) }
    }

    /// Adds a point that is over, so that missed notes are counted.
    public mutating func add(_ point: GridPoint) {
        guard !point.isCountIn else { return }
        points.append(point)
        places.add(point)
        playedBars.add(point)
        if points.count > mostKept + mostKept / 8 { points.removeFirst(points.count - mostKept) }
    }

    private mutating func settle(_ note: PlayedNote) {
        openCount -= 1
        guard !note.isExtra else { return }
        totals.add(note)
        places.add(note)
        playedBars.add(note)
    }

    /// The notes that are in no sum yet, and belong to a point.
    internal var openHits: [PlayedNote] { notes.suffix(openCount).filter { !$0.isExtra } }

    /// The sums with all notes.
    internal var allTotals: PlayingTotals {
        var all = totals
        for note in openHits { all.add(note) }
        return all
    }

    /// The notes that belong to a point, of those that are kept.
    public var hits: [PlayedNote] { notes.filter { !$0.isExtra } }

    /// How many notes belong to a point.
    public var hitCount: Int { allTotals.hits }

    /// How many notes belong to no point.
    public var extraCount: Int { noteCount - hitCount }

    /// Whether most attacks are soft: the figures are then a trend, and no single note is timed to the millisecond.
    public var isTrend: Bool { allTotals.isTrend }

    /// Mean and spread of the notes at points that are heard. `nil`: there is none.
    public var timing: LatenessStatistics? { LatenessStatistics(allTotals.heard) }

    /// The same of notes at muted points, where the player was alone.
    public var mutedTiming: LatenessStatistics? { LatenessStatistics(allTotals.muted) }

    /// The change of the lateness from bar to bar, by a straight line through the notes at points that are heard; `nil` of fewer
    /// than three notes that are certain enough, or of notes in one place.
    public var tendency: TempoTendency? { allTotals.tendency }
}
