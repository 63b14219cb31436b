internal import Realtime

/// Sums over the lateness of notes, from which `LatenessStatistics` are made. Notes are added one by one and not kept.
internal struct LatenessMoments: Sendable {
    internal private(set) var count = 0.0
    internal private(set) var mean = 0.0
    /// Σ (late - mean)².
    internal private(set) var squares = 0.0
    /// Of the notes' own standard errors: the sum of their squares, and the sum of those of soft attacks.
    internal private(set) var own = 0.0, soft = 0.0

    internal mutating func add(_ note: PlayedNote) {
        count += 1
        let distance = note.late - mean
        mean += distance / count
        squares += distance * (note.late - mean)
        own += note.standardError * note.standardError
        if note.kind == .soft { soft += note.standardError }
    }
}

/// The same for notes of all kinds, and for those with sharp attacks alone: which of the two counts is known at the end.
internal struct KindMoments: Sendable {
    internal private(set) var all = LatenessMoments(), sharp = LatenessMoments(), soft = LatenessMoments()

    internal mutating func add(_ note: PlayedNote) {
        all.add(note)
        if note.kind == .sharp { sharp.add(note) } else { soft.add(note) }
    }

    internal func timed(isTrend: Bool) -> LatenessMoments { isTrend ? all : sharp }
}

/// What a whole take says, of notes that are not kept.
internal struct PlayingTotals: Sendable {
    internal private(set) var hits = 0, sharp = 0
    /// Of notes at points that are heard, and at muted ones.
    internal private(set) var heard = KindMoments(), muted = KindMoments()
    private var line = LineFit(), sharpLine = LineFit()

    /// Adds a note that belongs to a point.
    internal mutating func add(_ note: PlayedNote) {
        hits += 1
        if note.kind == .sharp { sharp += 1 }
        guard !note.isMuted else { return muted.add(note) }
        heard.add(note)
        line.add(x: note.point.bars, y: note.late)
        if note.kind == .sharp { sharpLine.add(x: note.point.bars, y: note.late) }
    }

    internal var isTrend: Bool { 2 * sharp < hits }

    internal var tendency: TempoTendency? {
        let fit = isTrend ? line : sharpLine
        guard fit.count > 2, fit.spread > 0 else { return nil }
        return TempoTendency(perBar: .seconds(fit.slope), standardError: .seconds(fit.slopeStandardError))
    }
}
