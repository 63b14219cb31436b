/// The tempo over the bars of a section: steady, moving, or one value per beat.
package struct TempoCourse: Sendable, Hashable {
    /// Consecutive beats with one law.
    package struct Piece: Sendable, Hashable {
        package var law: Law
        /// Whole beats of the meter; `nil`: to the end of the section, or without end.
        package var beats: Int64?

        package init(law: Law, beats: Int64? = nil) { (self.law, self.beats) = (law, beats) }
    }

    /// How the tempo behaves over a piece; all numbers are above zero.
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
        for index in pieces.indices {
            guard let law = pieces[index].law.scaled(by: factor) else { return nil }
            scaled.pieces[index].law = law
        }
        return scaled
    }
}

extension TempoCourse.Law {
    /// The tempo, if it does not move.
    internal var steadyTempo: Ratio? {
        switch self {
        case .steady(let tempo): tempo
        case .ramp(let from, let to, _, _): from == to ? from : nil
        }
    }

    internal func scaled(by factor: Ratio) -> TempoCourse.Law? {
        switch self {
        case .steady(let tempo): return tempo.playable(times: factor).map { .steady($0) }
        case .ramp(let from, let to, let beats, let curve):
            guard let from = from.playable(times: factor), let to = to.playable(times: factor) else { return nil }
            return .ramp(from: from, to: to, beats: beats, curve: curve)
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
