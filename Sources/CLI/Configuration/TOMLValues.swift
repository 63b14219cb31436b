/// Finds values in a TOML file that no setting has: dates, lists, and what is damaged. TOMLKit 0.6 ends the program at some of
/// them, such as `1979-05-27TA07:32` and `44--- 2`, where it should report an error: toml++ asserts that a digit follows.
enum TOMLValues {
    /// The text that is read: outside of any, or in one with these quotes.
    private enum Place { case open, basic, literal, longBasic, longLiteral, comment }

    /// The line, from 1, of the first value that is no text, number or truth value and no table in one line; `nil` if there is none.
    ///
    /// - Complexity: O(bytes of `text`).
    static func line(in text: String) -> Int? {
        let bytes = Array(text.utf8)
        var (place, line, n) = (Place.open, 1, 0)
        while n < bytes.count {
            let isThreefold = n + 2 < bytes.count && bytes[n + 1] == bytes[n] && bytes[n + 2] == bytes[n]
            switch (place, bytes[n]) {
            case (_, UInt8(ascii: "\n")):
                line += 1
                if place != .longBasic, place != .longLiteral { place = .open }
            case (.open, UInt8(ascii: "#")): place = .comment
            case (.open, UInt8(ascii: "\"")):
                place = isThreefold ? .longBasic : .basic
                n += isThreefold ? 2 : 0
            case (.open, UInt8(ascii: "'")):
                place = isThreefold ? .longLiteral : .literal
                n += isThreefold ? 2 : 0
            case (.basic, UInt8(ascii: "\\")), (.longBasic, UInt8(ascii: "\\")):
                // Also before a line feed, which is counted.
                if n + 1 < bytes.count, bytes[n + 1] != UInt8(ascii: "\n") { n += 1 }
            case (.basic, UInt8(ascii: "\"")), (.literal, UInt8(ascii: "'")): place = .open
            case (.longBasic, UInt8(ascii: "\"")) where isThreefold,
                (.longLiteral, UInt8(ascii: "'")) where isThreefold:
                place = .open
                n += 2
            case (.open, UInt8(ascii: "=")) where !isValue(bytes[(n + 1)...]): return line
            default: break
            }
            n += 1
        }
        return nil
    }

    /// Whether what follows begins with a text, a table, `true`, `false` or a number. Nothing beyond that is looked at.
    private static func isValue(_ rest: ArraySlice<UInt8>) -> Bool {
        let value = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        switch value.first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "{"): return true
        default: break
        }
        let ends = Array(" \t\r\n#,}".utf8)
        let word = Array(value.prefix { !ends.contains($0) })
        return word == Array("true".utf8) || word == Array("false".utf8) || isNumber(word)
    }

    /// Whether it is a whole number, a decimal or one with an exponent. TOML 1.0 has others, too, which no setting needs.
    private static func isNumber(_ word: [UInt8]) -> Bool {
        var rest = word[...]
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        /// Drops digits, which there must be, with underscores between.
        func dropDigits() -> Bool {
            guard let first = rest.first, isDigit(first) else { return false }
            rest = rest.drop { isDigit($0) || $0 == UInt8(ascii: "_") }
            return true
        }
        if let sign = rest.first, isSign(sign) { rest.removeFirst() }
        guard dropDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard dropDigits() else { return false }
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest.removeFirst()
            if let sign = rest.first, isSign(sign) { rest.removeFirst() }
            guard dropDigits() else { return false }
        }
        return rest.isEmpty
    }
}
