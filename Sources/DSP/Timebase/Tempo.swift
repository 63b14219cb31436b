/// How many beats pass in a minute, as an exact fraction: 97.3 is 973/10, not the nearest floating-point number.
@frozen
public struct Tempo: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Beats per minute, exactly.
    public let beatsPerMinute: Ratio

    /// The slowest and the fastest tempo that can be asked for, in beats per minute.
    public static var range: ClosedRange<Int64> { 1...1_000 }

    /// Beats per minute as a whole number, 1 to 1,000.
    public init(_ beatsPerMinute: Int64) throws(NotationError) {
        try self.init(Ratio(beatsPerMinute))
    }

    /// Beats per minute as a fraction from 1 to 1,000, with at most 12 digits above the line and 9 below it.
    public init(_ beatsPerMinute: Ratio) throws(NotationError) {
        guard let tempo = Tempo(checked: beatsPerMinute) else {
            throw .outOfRange(text: beatsPerMinute.description, column: 1, allowed: Tempo.allowed)
        }
        self = tempo
    }

    /// Reads `120`, `97.3` or `100/3`: beats per minute.
    public init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        self = try scanner.tempo()
        try scanner.expectEnd(after: "tempo")
    }

    /// Whether `lhs` is the slower.
    public static func < (lhs: Tempo, rhs: Tempo) -> Bool { lhs.beatsPerMinute < rhs.beatsPerMinute }

    internal static var allowed: String {
        "a tempo goes from \(range.lowerBound) to \(range.upperBound) beats per minute, such as 120, 97.3 or 100/3"
    }

    internal init?(checked beatsPerMinute: Ratio) {
        guard beatsPerMinute >= Ratio(Tempo.range.lowerBound), beatsPerMinute <= Ratio(Tempo.range.upperBound),
            beatsPerMinute.denominator <= 1_000_000_000
        else { return nil }
        self.beatsPerMinute = beatsPerMinute
    }
}

extension Tempo: CustomStringConvertible {
    /// The shortest exact spelling: `120`, `97.3`, `100/3`.
    public var description: String { beatsPerMinute.decimalDescription }
}

extension Ratio {
    /// As a decimal where it ends within nine places, otherwise as a fraction.
    public var decimalDescription: String {
        var scale: Int64 = 1
        var places = 0
        while scale % denominator != 0 {
            guard places < 9 else { return description }
            scale *= 10
            places += 1
        }
        let scaled = Int128(numerator) * Int128(scale / denominator)
        guard places > 0 else { return "\(scaled)" }
        let digits = "\(scaled.magnitude)"
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (scaled < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
    }
}

extension NotationScanner {
    /// A tempo: a decimal, or two whole numbers with a line between them.
    internal mutating func tempo() throws(NotationError) -> Tempo {
        let start = column
        var value = try decimal("a tempo in beats per minute, such as 120, 97.3 or 100/3")
        if next == "/", peek(1)?.isDigit == true, value.denominator == 1 {
            advance()
            let below = try decimal("the number below the line, such as the 3 of 100/3")
            guard let quotient = value.divided(by: below) else { throw outOfRange(Tempo.allowed, at: start) }
            value = quotient
        }
        guard let tempo = Tempo(checked: value) else { throw outOfRange(Tempo.allowed, at: start) }
        return tempo
    }
}
