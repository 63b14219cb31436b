internal import Timebase

extension NotationScanner {
    internal mutating func tempoNotation() throws(NotationError) -> TempoNotation {
        let note = try noteValue()
        var notation = TempoNotation(try tempoPoint())
        notation.noteValue = note
        if next == "-", peek(1)?.isDigit == true || peek(1) == "." {
            advance()
            notation.points.append(try tempoPoint(isFractionAllowed: false))
            guard skip("/") else { throw unreadable("/ and the bars for each beat per minute, as in 80-120/10") }
            let start = column
            let bars = try decimal("the bars for each beat per minute, as in 80-120/10")
            guard bars > Ratio(0), bars <= Ratio(1_000_000) else {
                throw outOfRange("use more than 0 and at most 1000000 bars", at: start)
            }
            notation.span = .barsPerTempo(bars)
            return notation
        }
        while skip(word: "..") { notation.points.append(try tempoPoint()) }
        guard notation.points.count > 1 else { return notation }
        notation.span = try rampSpan()
        if skip(":") { notation.curve = try tempoCurve() }
        return notation
    }

    /// `8.=`: the counted note value, with up to two dots; reads nothing and returns `nil` if there is none.
    internal mutating func noteValue() throws(NotationError) -> NoteValue? {
        let (start, place) = (index, column)
        let digits = take(while: \.isDigit)
        var dots = 0
        while dots < 2, next == ".", peek(1) == "." || peek(1) == "=" {
            advance()
            dots += 1
        }
        guard !digits.isEmpty, skip("=") else {
            rewind(to: start)
            return nil
        }
        guard let part = Int(digits), 64 % max(1, part) == 0, let value = NoteValue(part, dots: dots)
        else { throw outOfRange("write 1, 2, 4, 8, 16, 32 or 64 before the =", at: place) }
        return value
    }

    /// A tempo within a ramp, where `/` may also introduce the span: `160/32b`.
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
        return try inRange(from: column) { () throws(PlanError) in try Tempo(value) }
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
        guard count > Ratio(0), count <= Ratio(1_000_000_000) else {
            throw outOfRange("use more than 0 and at most 1000000000", at: start)
        }
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
        return .time(try duration(of: seconds ?? Ratio(0), at: start))
    }
}
