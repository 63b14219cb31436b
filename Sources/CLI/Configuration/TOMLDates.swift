/// Finds dates and times in a TOML file. No setting is one, and TOMLKit 0.6 ends the program at one that is damaged, such as
/// `1979-05-27TA07:32`, where it should report an error: toml++ asserts that a digit follows.
enum TOMLDates {
    /// The text that is read: outside of any, or in one with these quotes.
    private enum Place { case open, basic, literal, longBasic, longLiteral, comment }

    /// The line of the first date or time, from 1; `nil` if there is none.
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
            case (.open, _) where isDate(bytes, at: n): return line
            default: break
            }
            n += 1
        }
        return nil
    }

    /// Whether `2026-1` or `07:` begins here, as no number and no name of a setting does.
    private static func isDate(_ bytes: [UInt8], at start: Int) -> Bool {
        func isDigit(_ n: Int) -> Bool { n < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[n]) }
        guard isDigit(start), isDigit(start + 1), start == 0 || !isPartOfName(bytes[start - 1]) else { return false }
        if start + 2 < bytes.count, bytes[start + 2] == UInt8(ascii: ":") { return true }
        return isDigit(start + 2) && isDigit(start + 3) && start + 4 < bytes.count
            && bytes[start + 4] == UInt8(ascii: "-")
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
