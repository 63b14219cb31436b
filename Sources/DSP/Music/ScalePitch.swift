private import CRealtime

/// A pitch of a scale: an exact ratio, or cents.
package enum ScalePitch: Sendable, Hashable {
    /// A ratio of frequencies: numerator and denominator, both at least 1.
    case ratio(UInt128, UInt128)
    /// Cents above the first note, which may be negative.
    case cents(Double)

    /// The interval above the scale's first note. A ratio is accurate to the last bits of a `Double`.
    package var cents: Cents {
        switch self {
        case .ratio(let numerator, let denominator):
            Cents(1_200 * (rt_log2(Double(numerator)) - rt_log2(Double(denominator))))
        case .cents(let cents): Cents(cents)
        }
    }

    /// Reads the pitch at the start of a line: digits with a point (cents, which may be negative) or without (a ratio, with
    /// or without a slash), after any spaces.
    ///
    /// - Returns: the pitch and the rest of the line.
    static func parse(
        _ line: TuningFileReader.Line, _ file: TuningFileReader
    ) throws(TuningFileError) -> (pitch: ScalePitch, rest: Substring) {
        let start = skipBlanks(line.text)
        var rest = start
        let negative = head(rest) == "-"
        if let sign = head(rest), sign == "-" || sign == "+" { rest = tail(rest) }
        let whole = leadingDigits(rest)
        rest = rest[whole.endIndex...]
        if head(rest) == "." {
            rest = tail(rest)
            let fraction = leadingDigits(rest)
            rest = rest[fraction.endIndex...]
            guard !whole.isEmpty || !fraction.isEmpty,
                let cents = Double("\(whole.isEmpty ? "0" : whole).\(fraction)0"),
                cents.isFinite
            else { throw file.unexpected(start, in: line, expected: "cents with a point, as in 701.955") }
            return (.cents(negative ? -cents : cents), rest)
        }
        guard !whole.isEmpty else {
            throw file.unexpected(
                start, in: line, expected: "a ratio such as 3/2 or cents with a point such as 701.955")
        }
        guard !negative else { throw file.unexpected(start, in: line, expected: "a ratio above zero") }
        let numerator = try number(whole, line, file)
        let afterNumber = skipBlanks(rest)
        guard head(afterNumber) == "/" else { return (.ratio(numerator, 1), rest) }
        let below = skipBlanks(tail(afterNumber))
        let digits = leadingDigits(below)
        guard !digits.isEmpty else {
            throw file.unexpected(below, in: line, expected: "a whole number, the lower half of the ratio")
        }
        let denominator = try number(digits, line, file)
        return (.ratio(numerator, denominator), below[digits.endIndex...])
    }

    private static func number(
        _ digits: Substring, _ line: TuningFileReader.Line, _ file: TuningFileReader
    ) throws(TuningFileError) -> UInt128 {
        guard let value = UInt128(digits), value > 0 else {
            let zero = digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") }
            throw file.unexpected(
                digits, in: line, expected: zero ? "a whole number above zero" : "at most 38 digits, or cents instead")
        }
        return value
    }

    /// Anything may follow a pitch, except what would make it another number (`100,5`, `1.2.3`, `3/2/1`, `1e3`) or looks
    /// like a mistyped one: a digit in the rest of its word, as in `20x.0`.
    static func checkEnd(
        _ rest: Substring, _ line: TuningFileReader.Line, _ file: TuningFileReader
    ) throws(TuningFileError) {
        guard let next = head(rest) else { return }
        let after = head(tail(rest))
        let digitAfter = after.map(isDigit) ?? false
        let exponent = (next == "e" || next == "E") && (digitAfter || after == "-" || after == "+")
        let word = rest.unicodeScalars.prefix { $0 != " " && $0 != "\t" && $0 != "!" && $0 != "=" }
        guard next != ".", next != "/", !(next == "," && digitAfter), !exponent, !word.contains(where: isDigit) else {
            throw file.unexpected(rest, in: line, expected: "a space or the end of the line after the pitch")
        }
    }
}
