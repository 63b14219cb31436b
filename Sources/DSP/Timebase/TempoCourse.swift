/// The tempo over the bars of a section: steady, moving, or one value for each beat.
///
/// What one beat of the meter lasts follows from the note value that the tempi count.
public struct TempoCourse: Sendable, Hashable {
    /// A stretch of beats under one law.
    public struct Piece: Sendable, Hashable {
        /// What the tempo does.
        public var law: Law
        /// Whole beats of the meter; `nil`: to the end of the section, or for ever.
        public var beats: Int64?

        /// A law, and for how many whole beats it holds.
        public init(law: Law, beats: Int64? = nil) { (self.law, self.beats) = (law, beats) }
    }

    /// What the tempo does over a piece.
    public enum Law: Sendable, Hashable {
        /// One tempo, exactly.
        case steady(Ratio)
        /// From one tempo to another, over so many beats of the meter.
        case ramp(from: Ratio, to: Ratio, beats: Double, curve: TempoCurve)
    }

    /// The note value that is counted: all tempi say how many of it there are in a minute.
    public var noteValue: NoteValue
    /// One after the other; only the last may be open.
    public var pieces: [Piece]

    /// Pieces one after the other.
    public init(counting noteValue: NoteValue = .quarter, pieces: [Piece]) {
        (self.noteValue, self.pieces) = (noteValue, pieces)
    }

    /// One tempo throughout.
    public static func steady(_ tempo: Tempo, counting noteValue: NoteValue = .quarter) -> TempoCourse {
        TempoCourse(counting: noteValue, pieces: [Piece(law: .steady(tempo.beatsPerMinute))])
    }

    /// All tempi multiplied by the same factor; `nil` if one of them is out of all reach.
    public func scaled(by factor: Ratio) -> TempoCourse? {
        var scaled = self
        for index in scaled.pieces.indices {
            switch scaled.pieces[index].law {
            case .steady(let tempo):
                guard let tempo = tempo.playable(times: factor) else { return nil }
                scaled.pieces[index].law = .steady(tempo)
            case .ramp(let from, let to, let beats, let curve):
                guard let from = from.playable(times: factor), let to = to.playable(times: factor) else { return nil }
                scaled.pieces[index].law = .ramp(from: from, to: to, beats: beats, curve: curve)
            }
        }
        return scaled
    }
}

extension TempoCourse.Law {
    /// The tempo so many beats after it began, in a ramp to a millionth.
    internal func tempo(atBeat beat: Double) -> Ratio {
        switch self {
        case .steady(let tempo): return tempo
        case .ramp(let from, let to, let length, let curve):
            guard from != to else { return from }
            let ramp = TempoRamp(from: from.value, to: to.value, over: length, curve: curve)
            return Ratio(Int64((ramp.tempo(atBeat: beat) * 1e6).rounded()), 1_000_000) ?? from
        }
    }
}

extension Ratio {
    /// The product, exactly if it has less than 2^40 above the line and below it, otherwise the nearest that has.
    package func playable(times factor: Ratio) -> Ratio? {
        Ratio(
            nearestTo: Int128(numerator) * Int128(factor.numerator),
            over: Int128(denominator) * Int128(factor.denominator), limit: 1 << 40)
    }
}
