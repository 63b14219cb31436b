internal import CRealtime
internal import Realtime

/// Sums over the lateness of notes, from which `LatenessStatistics` are made. Notes are added one by one and not kept.
///
/// The weight of a note depends on its uncertainty and on the spread of all, which is known only at the end. So the sums are
/// kept by classes of uncertainty, each half a factor of two wide: a weight is off by a quarter at most, and a mean of notes
/// whose weights are wrong by that is still unbiased.
internal struct LatenessMoments: Sendable {
    /// Notes of one class of uncertainty.
    internal struct Class: Sendable {
        internal private(set) var count = 0.0, mean = 0.0
        /// Σ (late - mean)².
        internal private(set) var squares = 0.0
        /// Of the notes' own standard errors: the sum of their squares, and the sum of those of soft attacks.
        internal private(set) var own = 0.0, soft = 0.0
        fileprivate let place: Int

        fileprivate init(place: Int) { self.place = place }

        fileprivate mutating func add(_ note: PlayedNote) {
            count += 1
            let distance = note.late - mean
            mean += distance / count
            squares += distance * (note.late - mean)
            own += note.standardError * note.standardError
            if note.kind == .soft { soft += note.standardError }
        }
    }

    /// Those that have notes, of 0.1 ms, the least standard error of an onset, to 26 ms, and above.
    internal private(set) var classes: [Class] = []
    internal private(set) var count = 0

    internal mutating func add(_ note: PlayedNote) {
        let octaves = rt_log2(max(note.standardError, Self.least) / Self.least)
        // A standard error that is no number is the largest.
        let place = octaves < 8 ? Int(2 * octaves) : 16
        count += 1
        for index in classes.indices where classes[index].place == place { return classes[index].add(note) }
        var new = Class(place: place)
        new.add(note)
        classes.append(new)
    }

    /// In seconds: the clearest attack.
    internal static let least = 0.000_1
}

/// What a whole take says, of notes that are not kept.
internal struct PlayingTotals: Sendable {
    internal private(set) var hits = 0, sharp = 0
    /// Of notes at points that are heard, and at muted ones.
    internal private(set) var heard = LatenessMoments(), muted = LatenessMoments()
    private var line = LineFit()

    /// Adds a note that belongs to a point.
    internal mutating func add(_ note: PlayedNote) {
        hits += 1
        if note.kind == .sharp { sharp += 1 }
        guard !note.isMuted else { return muted.add(note) }
        heard.add(note)
        let error = max(note.standardError, LatenessMoments.least)
        let weight = Self.spread * Self.spread / (Self.spread * Self.spread + error * error)
        line.add(x: note.point.bars, y: note.late, weight: weight)
    }

    /// Seconds: the spread of an amateur's playing, for the weights of the line's points. Twice or half of it would change the
    /// standard error of the slope by a few percent.
    private static let spread = 0.005

    internal var isTrend: Bool { 2 * sharp < hits }

    internal var tendency: TempoTendency? {
        guard line.spread > 0, line.slopeStandardError.isFinite else { return nil }
        return TempoTendency(perBar: .seconds(line.slope), standardError: .seconds(line.slopeStandardError))
    }
}
