internal import Timebase

/// Reads a text from left to right and reports the column of an error.
internal struct NotationScanner {
    internal let text: String
    private let characters: [Character]
    internal private(set) var index = 0

    internal init(_ text: String) {
        self.text = text
        characters = Array(text)
    }

    /// The 1-based column of the next character.
    internal var column: Int { index + 1 }
    internal var isAtEnd: Bool { index == characters.count }
    internal var isAtWordEnd: Bool { next?.endsWord ?? true }
    internal var next: Character? { isAtEnd ? nil : characters[index] }

    /// The character `offset` places after the next one.
    internal func peek(_ offset: Int) -> Character? {
        index + offset < characters.count ? characters[index + offset] : nil
    }

    internal mutating func skip(_ character: Character) -> Bool {
        guard next == character else { return false }
        index += 1
        return true
    }

    internal mutating func skip(word: String) -> Bool {
        let letters = Array(word)
        guard index + letters.count <= characters.count, Array(characters[index..<(index + letters.count)]) == letters
        else { return false }
        index += letters.count
        return true
    }

    internal mutating func skipBlanks() { while next == " " || next == "\t" { index += 1 } }

    internal mutating func advance() { if !isAtEnd { index += 1 } }

    internal mutating func rewind(to earlier: Int) { index = earlier }

    /// The longest run of characters that `belongs` accepts.
    internal mutating func take(while belongs: (Character) -> Bool) -> String {
        let start = index
        while let character = next, belongs(character) { index += 1 }
        return String(characters[start..<index])
    }

    /// What is left of the current word of a map.
    internal mutating func word() -> String { take { !$0.endsWord } }

    internal func unreadable(_ expected: String, at column: Int? = nil) -> NotationError {
        .unreadable(text, at: column ?? self.column, remedy: "write \(expected)")
    }

    internal func outOfRange(_ remedy: String, at column: Int, fault: String = "out of range") -> NotationError {
        NotationError(text: text, column: column, fault: fault, remedy: remedy)
    }

    /// Creates a value from the text that starts at `column`; a value out of range is an error there.
    internal func inRange<Value>(
        from column: Int, _ make: () throws(PlanError) -> Value
    ) throws(NotationError) -> Value {
        do throws(PlanError) {
            return try make()
        } catch {
            throw outOfRange(error.remedy, at: column, fault: error.problem)
        }
    }

    internal func expectEnd(after what: String) throws(NotationError) {
        if !isAtEnd { throw .unreadable(text, at: column, remedy: "end the \(what) here") }
    }

    internal mutating func integer(_ what: String, in range: ClosedRange<Int>) throws(NotationError) -> Int {
        let start = column
        let digits = take(while: \.isDigit)
        guard !digits.isEmpty else { throw unreadable(what) }
        guard let value = Int(digits), range.contains(value) else {
            throw outOfRange("use \(what), from \(range.lowerBound) to \(range.upperBound)", at: start)
        }
        return value
    }

    /// The digits before and after a decimal point, at least one.
    private mutating func decimalDigits(_ what: String) throws(NotationError) -> (whole: String, fraction: String) {
        let start = column
        let whole = take(while: \.isDigit)
        var fraction = ""
        // Two points mean a ramp.
        if next == ".", peek(1) != "." {
            advance()
            fraction = take(while: \.isDigit)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { throw unreadable(what, at: start) }
        return (whole, fraction)
    }

    /// An exact decimal: `12`, `12.`, `12.5` or `.5`; at most 12 digits before the point and 9 after it.
    internal mutating func decimal(_ what: String) throws(NotationError) -> Ratio {
        let start = column
        let (whole, fraction) = try decimalDigits(what)
        guard whole.count <= 12, fraction.count <= 9 else {
            throw outOfRange("use at most 12 digits before the point and 9 after it", at: start)
        }
        var scale: Int128 = 1
        for _ in fraction { scale *= 10 }
        guard let digits = Int128(whole + fraction), let value = Ratio(wide: digits, over: scale) else {
            throw outOfRange("use fewer digits", at: start)
        }
        return value
    }

    /// A decimal with any number of digits: exact if its numerator and denominator are below 2⁴⁰, otherwise the nearest such
    /// fraction. More than twelve digits before the point count as 999,999,999,999; after it, 24 digits count.
    internal mutating func longDecimal(_ what: String) throws(NotationError) -> Ratio {
        let (whole, fraction) = try decimalDigits(what)
        let significant = whole.drop { $0 == "0" }
        guard significant.count <= 12 else { return Ratio(999_999_999_999) }
        let kept = fraction.prefix(24)
        var (scaled, scale): (Int128, Int128) = (0, 1)
        for digit in significant + kept { scaled = 10 * scaled + Int128(digit.wholeNumberValue ?? 0) }
        for _ in kept { scale *= 10 }
        return Ratio(nearestTo: scaled, over: scale, limit: 1 << 40) ?? Ratio(0)
    }
}

extension NotationScanner {
    /// Reads all of a text as one value.
    internal static func read<Value>(
        _ text: String, as what: String, _ body: (inout NotationScanner) throws(NotationError) -> Value
    ) throws(NotationError) -> Value {
        var scanner = NotationScanner(text)
        let value = try body(&scanner)
        try scanner.expectEnd(after: what)
        return value
    }
}

extension Character {
    /// Whether it is an ASCII digit; digits of other scripts are not part of the notation.
    internal var isDigit: Bool { self >= "0" && self <= "9" && isASCII }

    /// An ASCII letter or digit, _ or -.
    internal var isLabel: Bool { isASCII && (isLetter || isDigit || self == "_" || self == "-") }

    /// Whether it ends a word of a map: a blank, or the `#` of a comment.
    internal var endsWord: Bool { self == " " || self == "\t" || self == "#" }
}
