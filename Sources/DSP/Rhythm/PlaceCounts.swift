internal import Timebase

/// How often each place in the bar came, and what was played there.
internal struct PlaceCounts: Sendable {
    internal typealias Position = PlayingReport.Position

    internal struct Place: Sendable {
        var points = 0, notes = 0
        /// Of notes at points that are heard.
        var timing = LatenessMoments()
    }

    internal private(set) var places: [Position: Place] = [:]
    /// The instants of the first and the last note. Before and after them the player was not playing.
    private var first: Double?, last = -Double.infinity
    /// Points after the last note, which count when another note follows; and the older ones of them, by place.
    private var waiting: [(instant: Double, position: Position)] = []
    private var waitingBefore: [Position: Int] = [:]

    /// Nine hours of two points a second without a note.
    private static let mostWaiting = 65_536

    /// Notes that somebody plays at a point.
    internal mutating func begin(_ point: GridPoint) {
        let start = first ?? point.instant
        (first, last) = (start, max(last, point.instant))
        for (position, count) in waitingBefore { places[position, default: Place()].points += count }
        waitingBefore = [:]
        guard !waiting.isEmpty else { return }
        for (instant, position) in waiting where instant >= start && instant <= last {
            places[position, default: Place()].points += 1
        }
        let last = last
        waiting.removeAll { $0.instant <= last }
    }

    internal mutating func add(_ point: GridPoint) {
        let (instant, position) = (point.instant, Position(point.stroke))
        if let first, instant <= last {
            if instant >= first { places[position, default: Place()].points += 1 }
            return
        }
        waiting.append((instant, position))
        guard waiting.count > Self.mostWaiting else { return }
        let old = waiting.prefix(Self.mostWaiting / 2)
        // Before the first note, they are those at which nobody played.
        if first != nil { for (_, position) in old { waitingBefore[position, default: 0] += 1 } }
        waiting.removeFirst(old.count)
    }

    /// Adds a note that belongs to a point.
    internal mutating func add(_ note: PlayedNote) {
        places[Position(note.point.stroke), default: Place()].notes += 1
        if !note.isMuted { places[Position(note.point.stroke), default: Place()].timing.add(note) }
    }
}
