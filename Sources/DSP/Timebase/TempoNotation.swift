/// What was said about the tempo: one value, a way from one to another, or one for each beat.
///
///     120   97.3   100/3   8.=96                     steady; the last for a dotted eighth
///     80..160/32b   80..160 over 32 bars             a ramp; also beats, s, m; :time or :exp for its curve
///     80..160..80/16b                                there and back, 16 bars each way
///     80-120/10                                      one beat a minute faster in ten bars, as klick has it
public struct TempoNotation: Sendable, Hashable {
    /// The tempi that are passed, in the order they were said; one: steady.
    public var points: [Tempo]
    /// The note value that was counted, as a part of a whole note; `nil`: the beat itself, or the quarter of a meter.
    public var unit: Ratio?
    /// How long each way from one tempo to the next takes.
    public var span: RampSpan?
    /// The shape of the way.
    public var curve = TempoCurve.linearInBeats

    /// One tempo.
    public init(_ tempo: Tempo) { points = [tempo] }

    /// Reads one of the spellings above.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.tempoNotation()
        try scanner.expectEnd(after: "tempo")
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
    ///   - denominator: the note value of a beat, if a meter was named.
    public func course(bars: [[AccentLevel]], denominator: Int?) throws(PlanError) -> TempoCourse {
        // Without a meter the beat is whatever was counted.
        let factor =
            denominator == nil ? Ratio(1) : (unit ?? Ratio(checkedOver: 4)).multiplied(by: Ratio(4)) ?? Ratio(1)
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
                from: from.value * perQuarter, to: to.value * perQuarter, lasting: span.seconds.value, curve: curve)
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
public enum RampSpan: Sendable, Hashable {
    /// So many bars.
    case bars(Ratio)
    /// So many beats.
    case beats(Ratio)
    /// So much time.
    case time(TimeSpan)
    /// So many bars for each beat per minute of difference.
    case barsPerTempo(Ratio)
}

/// A speed trainer: the tempo changes by a step every few bars until it has arrived.
public struct TempoSteps: Sendable, Hashable {
    /// What is added each time, in beats per minute; negative to slow down.
    public var step: Ratio
    /// The bars played at each tempo.
    public var bars: Int64
    /// Where it ends.
    public var goal: Tempo

    /// Reads `+5/4b..160`: five beats per minute faster every four bars up to 160; `-5/4b..60` slows down.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        let isDown = scanner.skip("-")
        if !isDown, !scanner.skip("+") { throw scanner.unreadable("+ or -, as in +5/4b..160") }
        let start = scanner.column
        let size = try scanner.decimal("beats per minute to add, as in +5/4b..160")
        guard size > Ratio(0), let step = Ratio(isDown ? -size.numerator : size.numerator, size.denominator) else {
            throw scanner.outOfRange("a step is more than 0 beats per minute", at: start)
        }
        guard scanner.skip("/") else { throw scanner.unreadable("/ and the bars of each step, as in +5/4b..160") }
        bars = Int64(try scanner.integer("the bars of each step", in: 1...1_000_000))
        if !scanner.skip(word: "bars") && !scanner.skip(word: "bar") && !scanner.skip("b") {
            throw scanner.unreadable("b or bars")
        }
        guard scanner.skip(word: "..") else {
            throw scanner.unreadable(".. and the tempo to arrive at, as in +5/4b..160")
        }
        goal = try scanner.tempo()
        try scanner.expectEnd(after: "steps")
        self.step = step
    }

    /// The tempi from `start` to the goal, both included.
    ///
    /// - Throws: `PlanError.stepsLeadAway` when the goal lies on the other side.
    public func tempi(from start: Tempo) throws(PlanError) -> [Tempo] {
        let isDown = step < Ratio(0)
        guard isDown ? goal <= start : goal >= start else { throw .stepsLeadAway }
        var tempi = [start]
        // 1 to 1,000 in steps of 1/100 are a hundred thousand.
        while let last = tempi.last, last != goal {
            guard tempi.count <= 100_000, let sum = last.beatsPerMinute.adding(step) else { throw .tooLong }
            let isPast = isDown ? sum <= goal.beatsPerMinute : sum >= goal.beatsPerMinute
            guard !isPast, let next = Tempo(checked: sum) else {
                tempi.append(goal)
                break
            }
            tempi.append(next)
        }
        return tempi
    }
}

extension NotationScanner {
    internal mutating func tempoNotation() throws(NotationError) -> TempoNotation {
        let unit = noteValue()
        var notation = TempoNotation(try tempoPoint())
        notation.unit = unit
        if next == "-", peek(1)?.isDigit == true || peek(1) == "." {
            advance()
            notation.points.append(try tempoPoint(isFractionAllowed: false))
            guard skip("/") else { throw unreadable("/ and the bars for each beat per minute, as in 80-120/10") }
            let start = column
            let bars = try decimal("the bars for each beat per minute, as in 80-120/10")
            guard bars > Ratio(0), bars <= Ratio(1_000_000) else { throw outOfRange("more than 0 bars", at: start) }
            notation.span = .barsPerTempo(bars)
            return notation
        }
        while skip(word: "..") { notation.points.append(try tempoPoint()) }
        guard notation.points.count > 1 else { return notation }
        notation.span = try rampSpan()
        if skip(":") {
            guard let curve = tempoCurve() else { throw unreadable("beat, time or exp") }
            notation.curve = curve
        }
        return notation
    }

    /// `8.=`: a note value to be counted, with up to two dots; `nil`, and nothing is read, if there is none.
    internal mutating func noteValue() -> Ratio? {
        let start = index
        let digits = take(while: \.isDigit)
        var dots = 0
        while dots < 2, next == ".", peek(1) == "." || peek(1) == "=" {
            advance()
            dots += 1
        }
        guard skip("="), let part = Int64(digits), [1, 2, 4, 8, 16, 32, 64].contains(part),
            // Each dot adds half of what came before it: 3/2, 7/4.
            let value = Ratio([1, 3, 7][dots], part * [1, 2, 4][dots])
        else {
            rewind(to: start)
            return nil
        }
        return value
    }

    /// A tempo within a ramp, where a stroke may also lead to the span: `160/32b`.
    private mutating func tempoPoint(isFractionAllowed: Bool = true) throws(NotationError) -> Tempo {
        let start = index
        let column = self.column
        let value = try decimal("a tempo in beats per minute, such as 120, 97.3 or 100/3")
        if isFractionAllowed, next == "/" {
            var ahead = self
            ahead.advance()
            let digits = ahead.take(while: \.isDigit)
            let isSpan = ahead.next.map { $0 == "b" || $0 == "s" || $0 == "m" || $0 == "h" } ?? false
            let isDecimal = ahead.next == "." && ahead.peek(1) != "."
            if !digits.isEmpty, !isSpan, !isDecimal {
                rewind(to: start)
                return try tempo()
            }
        }
        guard let tempo = Tempo(checked: value) else { throw outOfRange(Tempo.allowed, at: column) }
        return tempo
    }

    /// `/32b` or ` over 32 bars`.
    private mutating func rampSpan() throws(NotationError) -> RampSpan {
        let what = "over how long, as in 80..160/32b or 80..160 over 32 bars"
        if !skip("/") {
            skipBlanks()
            guard skip(word: "over") else { throw unreadable(what) }
            skipBlanks()
        }
        let start = column
        let count = try decimal("a number of bars, beats, seconds or minutes")
        skipBlanks()
        guard count > Ratio(0), count <= Ratio(1_000_000_000) else { throw outOfRange("a span above 0", at: start) }
        if skip(word: "beats") || skip(word: "beat") { return .beats(count) }
        if skip(word: "bars") || skip(word: "bar") || skip("b") { return .bars(count) }
        let seconds: Ratio?
        if skip(word: "minutes") || skip(word: "min") || skip("m") {
            seconds = count.multiplied(by: Ratio(60))
        } else if skip(word: "seconds") || skip("s") {
            seconds = count
        } else {
            throw unreadable("bars (b), beats, seconds (s) or minutes (m)")
        }
        guard let seconds, let span = TimeSpan(seconds: seconds) else {
            throw outOfRange("a duration is more than 0 and at most 31 days", at: start)
        }
        return .time(span)
    }
}

extension Ratio {
    /// A part of one.
    internal init(checkedOver denominator: Int64) { self = Ratio(1, denominator) ?? Ratio(1) }
}
