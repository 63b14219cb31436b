public import Timebase

/// What was said about the tempo: one value, a way from one to another, or one for each beat.
///
///     120   97.3   100/3   8.=96                     steady; the last for a dotted eighth
///     80..160/32b   80..160 over 32 bars             a ramp; also beats, s, m; :time or :exp for its curve
///     80..160..80/16b                                there and back, 16 bars each way
///     80-120/10                                      one beat a minute faster in ten bars, as klick has it
public struct TempoNotation: Sendable, Hashable {
    /// The tempi that are passed, in the order they were said; one: steady.
    public var points: [Tempo]
    /// The note value that the tempi count; `nil`: the beat, whatever it is.
    public var noteValue: NoteValue?
    /// How long each way from one tempo to the next takes.
    public var span: RampSpan?
    /// The shape of the way.
    public var curve = TempoCurve.linearInBeats

    /// One tempo.
    public init(_ tempo: Tempo) { points = [tempo] }

    /// Reads one of the spellings above.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "tempo") { scanner throws(NotationError) in
            try scanner.tempoNotation()
        }
    }

    /// Back again by the way it came.
    public func bouncing() -> TempoNotation {
        var both = self
        both.points += points.dropLast().reversed()
        return both
    }

    /// The course of the tempo over bars of so many beats.
    ///
    /// - Parameters:
    ///   - bars: the levels of the bars in turn, for their lengths.
    ///   - beat: the note value of a beat.
    public func course(bars: [[AccentLevel]], beat: NoteValue) throws(PlanError) -> TempoCourse {
        var course = TempoCourse(counting: noteValue ?? beat, pieces: [])
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

    /// How many beats the way from one tempo to another takes.
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
                from: from.value / countsPerBeat, to: to.value / countsPerBeat, lasting: span.secondsValue, curve: curve)
        case .barsPerTempo(let bars): beats = (bars.value * abs(to.value - from.value)).rounded(.up) * perBar
        case nil: beats = perBar
        }
        guard beats <= 1e9 else { throw .tooLong }
        return max(beats, 1e-3)
    }
}

/// How long a ramp takes.
public enum RampSpan: Sendable, Hashable {
    /// So many bars.
    case bars(Ratio)
    /// So many beats.
    case beats(Ratio)
    /// So much time.
    case time(Duration)
    /// So many bars for each beat per minute of difference.
    case barsPerTempo(Ratio)
}
