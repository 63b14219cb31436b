package import Timebase

/// What was said about the tempo: one value, a way from one to another, or one for each beat.
///
///     120   97.3   100/3   8.=96                     steady; the last for a dotted eighth
///     80..160/32b   80..160 over 32 bars             a ramp; also beats, s, m; :time or :exp for its curve
///     80..160..80/16b                                there and back, 16 bars each way
///     80-120/10                                      one beat a minute faster in ten bars, as klick has it
package struct TempoNotation: Sendable, Hashable {
    /// The tempi that are passed, in the order they were said; one: steady.
    package var points: [Tempo]
    /// The note value that was counted, as a part of a whole note; `nil`: the beat itself, or the quarter of a meter.
    package var unit: Ratio?
    /// How long each way from one tempo to the next takes.
    package var span: RampSpan?
    /// The shape of the way.
    package var curve = TempoCurve.linearInBeats

    /// One tempo.
    package init(_ tempo: Tempo) { points = [tempo] }

    /// Reads one of the spellings above.
    package init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "tempo") { scanner throws(NotationError) in
            try scanner.tempoNotation()
        }
    }

    /// Back again by the way it came.
    package func bouncing() -> TempoNotation {
        var both = self
        both.points += points.dropLast().reversed()
        return both
    }

    /// The course of the tempo over bars of so many beats.
    ///
    /// - Parameters:
    ///   - bars: the levels of the bars in turn, for their lengths.
    ///   - denominator: the note value of a beat, if a meter was named.
    package func course(bars: [[AccentLevel]], denominator: Int?) throws(PlanError) -> TempoCourse {
        // Without a meter the beat is whatever was counted.
        let factor =
            denominator == nil ? Ratio(1) : unit?.multiplied(by: Ratio(4)) ?? Ratio(1)
        var tempi: [Ratio] = []
        for point in points {
            guard let tempo = point.beatsPerMinute.playable(times: factor) else { throw .tooFine }
            tempi.append(tempo)
        }
        var pieces: [TempoCourse.Piece] = []
        for (from, to) in zip(tempi, tempi.dropFirst()) {
            let beats = try self.beats(from: from, to: to, bars: bars, denominator: denominator ?? 4)
            let whole = Int64(beats) + (beats > Double(Int64(beats)) ? 1 : 0)
            pieces.append(
                TempoCourse.Piece(law: .ramp(from: from, to: to, beats: beats, curve: curve), beats: max(1, whole)))
        }
        pieces.append(TempoCourse.Piece(law: .steady(tempi[tempi.count - 1]), beats: nil))
        return TempoCourse(pieces: pieces)
    }

    /// How many beats the way from one tempo to another takes.
    private func beats(from: Ratio, to: Ratio, bars: [[AccentLevel]], denominator: Int) throws(PlanError) -> Double {
        let perBar = Double(bars.reduce(0) { $0 + $1.count }) / Double(bars.count)
        let beats: Double
        switch span {
        case .bars(let count): beats = count.value * perBar
        case .beats(let count): beats = count.value
        case .time(let span):
            let perQuarter = Double(denominator) / 4
            beats = TempoRamp.beats(
                from: from.value * perQuarter, to: to.value * perQuarter, lasting: span.secondsValue, curve: curve)
        case .barsPerTempo(let bars):
            let exact = bars.value * abs(to.value - from.value)
            let whole = Int64(exact) + (exact > Double(Int64(exact)) ? 1 : 0)
            beats = Double(whole) * perBar
        case nil: beats = perBar
        }
        guard beats <= 1e9 else { throw .tooLong }
        return max(beats, 1e-3)
    }
}

/// How long a ramp takes.
package enum RampSpan: Sendable, Hashable {
    /// So many bars.
    case bars(Ratio)
    /// So many beats.
    case beats(Ratio)
    /// So much time.
    case time(Duration)
    /// So many bars for each beat per minute of difference.
    case barsPerTempo(Ratio)
}
