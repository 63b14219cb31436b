/// The tempo over the bars of a section: steady, moving, or one value for each beat.
///
/// All tempi are in quarter notes per minute; what one beat of the meter lasts follows from its note value.
package struct TempoCourse: Sendable, Hashable {
    /// A stretch of beats under one law.
    package struct Piece: Sendable, Hashable {
        /// What the tempo does.
        package var law: Law
        /// Whole beats of the meter; `nil`: to the end of the section, or for ever.
        package var beats: Int64?

        /// A law, and for how many whole beats it holds.
        package init(law: Law, beats: Int64? = nil) { (self.law, self.beats) = (law, beats) }
    }

    /// What the tempo does over a piece.
    package enum Law: Sendable, Hashable {
        /// One tempo, exactly.
        case steady(Ratio)
        /// From one tempo to another, in quarters per minute, over so many beats of the meter.
        case ramp(from: Ratio, to: Ratio, beats: Double, curve: TempoCurve)
    }

    /// One after the other; only the last may be open.
    package var pieces: [Piece]

    /// Pieces one after the other.
    package init(pieces: [Piece]) { self.pieces = pieces }

    /// One tempo throughout.
    package static func steady(_ tempo: Tempo) -> TempoCourse {
        TempoCourse(pieces: [Piece(law: .steady(tempo.beatsPerMinute), beats: nil)])
    }

    /// The tempo of the first beat, in quarters per minute.
    package var first: Ratio { pieces.first?.law.start ?? Ratio(120) }

    /// All tempi multiplied by the same factor; `nil` if one of them is out of all reach.
    package func scaled(by factor: Ratio) -> TempoCourse? {
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
    /// The tempo with which it begins, in quarters per minute.
    internal var start: Ratio {
        switch self {
        case .steady(let tempo): tempo
        case .ramp(let from, _, _, _): from
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
