public import Timebase

extension Tempo {
    /// Reads `120`, `97.3` or `100/3`: beats per minute.
    public init(parsing text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "tempo") { scanner throws(NotationError) in try scanner.tempo() }
    }

    /// Reads the same from the words of a command line, which may have a unit or a decimal comma: `120 BPM`, `120,5`.
    package init(spoken text: String) throws(NotationError) {
        let words = TempoWords.plain([text])
        self = try Tempo(parsing: words.count == 1 ? words[0] : text)
    }
}

extension Ratio {
    /// Reads a factor such as `0.8`, `4/5` or `1.25`; more than 0 and at most 1,000.
    public init(parsingFactor text: String) throws(NotationError) {
        self = try NotationScanner.read(text, as: "factor") { scanner throws(NotationError) in
            var value = try scanner.decimal("a factor, such as 0.8 or 4/5")
            if scanner.skip("/") {
                value = value.divided(by: try scanner.decimal("a number below the line")) ?? Ratio(0)
            }
            guard !scanner.isAtEnd || value > Ratio(0) && value <= Ratio(1_000) else {
                throw scanner.outOfRange("use a factor above 0 and up to 1000", at: 1)
            }
            return value
        }
    }
}

extension NotationScanner {
    /// A decimal, or a fraction of two whole numbers.
    internal mutating func tempo() throws(NotationError) -> Tempo {
        let start = column
        var value = try decimal("a tempo in beats per minute, such as 120, 97.3 or 100/3")
        if next == "/", peek(1)?.isDigit == true, value.denominator == 1 {
            advance()
            let below = try decimal("the number below the line, such as the 3 of 100/3")
            guard let quotient = value.divided(by: below) else { throw outOfRange("use 1 to 1000 BPM", at: start) }
            value = quotient
        }
        return try inRange(from: start) { () throws(PlanError) in try Tempo(value) }
    }
}
