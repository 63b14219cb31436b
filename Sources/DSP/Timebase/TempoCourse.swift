/// The tempo over the bars of a section: steady, moving, or one value per beat.
package struct TempoCourse: Sendable, Hashable {
    /// Consecutive beats with one law.
    package struct Piece: Sendable, Hashable {
        package var law: Law
        /// Whole beats of the meter; `nil`: to the end of the section, or without end.
        package var beats: Int64?

        package init(law: Law, beats: Int64? = nil) { (self.law, self.beats) = (law, beats) }
    }

    /// How the tempo behaves over a piece.
    package enum Law: Sendable, Hashable {
        case steady(Ratio)
        /// From one tempo to another, over so many beats of the meter.
        case ramp(from: Ratio, to: Ratio, beats: Double, curve: TempoCurve)
    }

    /// The note value that the tempi count: how many of it there are per minute.
    package var noteValue: NoteValue
    /// The pieces in order; only the last may be open.
    package var pieces: [Piece]

    package init(counting noteValue: NoteValue, pieces: [Piece]) {
        (self.noteValue, self.pieces) = (noteValue, pieces)
    }

    package static func steady(_ tempo: Tempo, counting noteValue: NoteValue) -> TempoCourse {
        TempoCourse(counting: noteValue, pieces: [Piece(law: .steady(tempo.beatsPerMinute))])
    }

    /// The course with all tempi multiplied; `nil` if one of them cannot be represented.
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
    /// The tempo some beats after the start, rounded to a millionth in a ramp.
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
    /// The product, exact if numerator and denominator are below 2^40, otherwise the nearest such fraction.
    package func playable(times factor: Ratio) -> Ratio? {
        Ratio(
            nearestTo: Int128(numerator) * Int128(factor.numerator),
            over: Int128(denominator) * Int128(factor.denominator), limit: 1 << 40)
    }
}
