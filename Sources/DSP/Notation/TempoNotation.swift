internal import Music
package import Timebase

/// The tempo of a plan: steady, or a ramp through several tempi.
///
///     120   97.3   100/3   8.=96                     steady; the last counts dotted eighths
///     80..160/32b   80..160 over 32 bars             a ramp; also beats, s, m; :time or :exp for its curve
///     80..160..80/16b                                up and down, 16 bars each
///     80-120/10                                      ten bars per beat per minute, as in klick
package struct TempoNotation: Sendable, Hashable {
    /// The tempi in order; a single one is steady.
    package var points: [Tempo]
    /// The note value that the tempi count; `nil`: the beat.
    package var noteValue: NoteValue?
    /// The length of each ramp from one tempo to the next.
    package var span: RampSpan?
    package var curve = TempoCurve.linearInBeats

    package init(_ tempo: Tempo) { points = [tempo] }

    /// Reads one of the forms above.
    package init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "tempo") { scanner throws(NotationError) in
            try scanner.tempoNotation()
        }
    }

    /// The same tempi, and back to the first.
    package func bouncing() -> TempoNotation {
        var both = self
        both.points += points.dropLast().reversed()
        return both
    }

    /// The course of the tempo over the bars that repeat, given by their levels, with beats of this note value.
    package func course(of note: NoteValue, bars: [[AccentLevel]], beat: NoteValue) throws(PlanError) -> TempoCourse {
        var course = TempoCourse(counting: note, pieces: [])
        let counts = beat.count(of: course.noteValue).value
        for (from, to) in zip(points, points.dropFirst()) {
            let (from, to) = (from.beatsPerMinute, to.beatsPerMinute)
            let beats = try self.beats(from: from, to: to, bars: bars, countsPerBeat: counts)
            let law = TempoCourse.Law.ramp(from: from, to: to, beats: beats, curve: curve)
            course.pieces.append(TempoCourse.Piece(law: law, beats: max(1, Int64(beats.rounded(.up)))))
        }
        course.pieces.append(TempoCourse.Piece(law: .steady(points[points.count - 1].beatsPerMinute)))
        return course
    }

    /// The beats of a ramp from one tempo to another.
    private func beats(
        from: Ratio, to: Ratio, bars: [[AccentLevel]], countsPerBeat: Double
    ) throws(PlanError) -> Double {
        let perBar = Double(bars.reduce(0) { $0 + $1.count }) / Double(bars.count)
        let beats: Double
        switch span {
        case .bars(let count): beats = count.value * perBar
        case .beats(let count): beats = count.value
        case .time(let span):
            beats = TempoRamp.beats(
                from: from.value / countsPerBeat, to: to.value / countsPerBeat, lasting: span.inSeconds, curve: curve
            )
        case .barsPerTempo(let bars): beats = (bars.value * abs(to.value - from.value)).rounded(.up) * perBar
        case nil: beats = perBar
        }
        guard beats <= 1e9 else { throw .tooLong }
        return max(beats, 1e-3)
    }
}

package enum RampSpan: Sendable, Hashable {
    case bars(Ratio)
    case beats(Ratio)
    case time(Duration)
    /// Bars for each beat per minute of difference.
    case barsPerTempo(Ratio)
}
