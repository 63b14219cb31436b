public import Timebase

extension PlayingReport {
    /// A place in the bar: a beat, a part of one, or a stroke of another voice.
    public struct Position: Sendable, Hashable, Comparable {
        /// The voice: 0 is the beat and its parts.
        public let layer: Int
        /// The beat, from 1, and its part, from 0.
        public let beat: Int, part: Int
        /// How many parts the beat has.
        public let partsInBeat: Int

        /// The position of a stroke.
        public init(_ stroke: BeatEvent) {
            (layer, beat, part) = (Int(stroke.layer), Int(stroke.beat), Int(stroke.part))
            partsInBeat = Int(stroke.partsInBeat)
        }

        /// In the order of the voices, then of time.
        public static func < (lhs: Position, rhs: Position) -> Bool {
            (lhs.layer, lhs.beat, lhs.part) < (rhs.layer, rhs.beat, rhs.part)
        }
    }

    /// How the notes at one place in the bar were played.
    public struct PositionReport: Sendable, Hashable {
        /// Where.
        public let position: Position
        /// How often the place came, and how often a note was there.
        public let points: Int, hits: Int
        /// How often a note was missing. Zero at a place where the player played less than half of the times: there is nothing to
        /// be played.
        public let missed: Int
        /// Mean and spread, `nil` if all are muted.
        public let timing: LatenessStatistics?
    }

    /// Each place in the bar at which a note was played, in order.
    public var positions: [PositionReport] {
        let hits = hits
        guard let first = hits.first, let last = hits.last else { return [] }
        // Before the first note and after the last the player was not playing.
        let range = first.point.instant...max(first.point.instant, last.point.instant)
        var counts: [Position: Int] = [:]
        for point in points where range.contains(point.instant) { counts[Position(point.stroke), default: 0] += 1 }
        let groups = Dictionary(grouping: hits) { Position($0.point.stroke) }
        return groups.keys.sorted().map { position in
            let notes = groups[position] ?? []
            // A note may be told before its point is over.
            let count = max(notes.count, counts[position] ?? 0)
            return PositionReport(
                position: position, points: count, hits: notes.count,
                missed: 2 * notes.count >= count ? count - notes.count : 0,
                timing: LatenessStatistics(notes.filter { !$0.isMuted }))
        }
    }

    /// How many notes were missing.
    public var missedCount: Int { positions.reduce(0) { $0 + $1.missed } }
}
