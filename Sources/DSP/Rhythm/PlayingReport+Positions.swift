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
        var counts = places
        for note in openHits { counts.add(note) }
        return counts.places.filter { $0.value.notes > 0 }.sorted { $0.key < $1.key }.map { position, place in
            // A note may be told before its point is over.
            let count = max(place.notes, place.points)
            return PositionReport(
                position: position, points: count, hits: place.notes,
                missed: 2 * place.notes >= count ? count - place.notes : 0,
                timing: LatenessStatistics(place.timing))
        }
    }

    /// How many notes were missing.
    public var missedCount: Int { positions.reduce(0) { $0 + $1.missed } }
}
