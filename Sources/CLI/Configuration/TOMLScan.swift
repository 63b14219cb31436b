/// A first look at a TOML file: on which lines keys and tables stand, and what TOMLKit 0.6 cannot bear.
///
/// toml++ asserts, and ends the program, where it should report an error: at some values, such as `1979-05-27TA07:32` and
/// `44--- 2`, and at a table's name that begins as no key does. A name of 150,000 parts takes all of the stack. No setting has such
/// values or names, nor dates and lists.
struct TOMLScan {
    /// A line that begins outside of any text, and what is named on it.
    struct Line {
        /// From 1.
        let number: Int
        let isTable: Bool
        /// The place of the name in the bytes of the file.
        let name: Range<Int>
    }

    /// What is wrong with a line.
    enum Fault { case value, table, depth }

    private(set) var lines: [Line] = []
    /// The first fault and its line, from 1. Nothing beyond it was looked at.
    private(set) var fault: (kind: Fault, line: Int)?

    /// The text that is read: outside of any, or in one with these quotes.
    private enum Place { case open, basic, literal, longBasic, longLiteral, comment }

    /// The most parts of a name. Ours have three, and 250 tables can stand in one line, one in the other: toml++ takes no more.
    private static let mostParts = 32

    private var place = Place.open
    private var line = 1
    /// Where the name begins that is read, and whether it is a table's; `nil` after it.
    private var name: Int?
    private var isTable = false
    /// Whether nothing but blanks was read of the line.
    private var isStart = true
    private var parts = 1

    /// - Complexity: O(bytes of `text`).
    init(_ bytes: [UInt8]) {
        // A byte order mark.
        var n = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while n < bytes.count, fault == nil { n += read(bytes, at: n) }
    }

    /// Reads on, and returns by how many bytes.
    private mutating func read(_ bytes: [UInt8], at n: Int) -> Int {
        let byte = bytes[n]
        let isThreefold = n + 2 < bytes.count && bytes[n + 1] == byte && bytes[n + 2] == byte
        switch (place, byte) {
        case (_, UInt8(ascii: "\n")):
            line += 1
            if place == .longBasic || place == .longLiteral { break }
            (place, isStart, name, parts) = (.open, true, nil, 1)
        case (.open, _):
            return readOpen(bytes, at: n, isThreefold)
        // Also before a line feed, which is counted.
        case (.basic, UInt8(ascii: "\\")), (.longBasic, UInt8(ascii: "\\")):
            return n + 1 < bytes.count && bytes[n + 1] != UInt8(ascii: "\n") ? 2 : 1
        case (.basic, UInt8(ascii: "\"")), (.literal, UInt8(ascii: "'")): place = .open
        case (.longBasic, UInt8(ascii: "\"")) where isThreefold, (.longLiteral, UInt8(ascii: "'")) where isThreefold:
            place = .open
            return 3
        default: break
        }
        return 1
    }

    /// The same outside of texts.
    private mutating func readOpen(_ bytes: [UInt8], at n: Int, _ isThreefold: Bool) -> Int {
        let byte = bytes[n]
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") { return 1 }
        let begins = isStart
        isStart = false
        if begins, byte == UInt8(ascii: "[") {
            if !isTableName(bytes[(n + 1)...]) { fault = (.table, line) }
            (name, isTable) = (n + 1, true)
            return 1
        }
        if begins { (name, isTable) = (n, false) }
        switch byte {
        case UInt8(ascii: "#"): place = .comment
        case UInt8(ascii: "\""):
            place = isThreefold ? .longBasic : .basic
            return isThreefold ? 3 : 1
        case UInt8(ascii: "'"):
            place = isThreefold ? .longLiteral : .literal
            return isThreefold ? 3 : 1
        case UInt8(ascii: "."):
            parts += 1
            if parts > Self.mostParts { fault = (.depth, line) }
        case UInt8(ascii: ","), UInt8(ascii: "{"): parts = 1
        case UInt8(ascii: "]") where isTable: endName(at: n)
        case UInt8(ascii: "="):
            if !isTable { endName(at: n) }
            parts = 1
            if !Self.isValue(bytes[(n + 1)...]) { fault = (.value, line) }
        default: break
        }
        return 1
    }

    private mutating func endName(at n: Int) {
        if let name { lines.append(Line(number: line, isTable: isTable, name: name..<n)) }
        name = nil
    }

    /// Whether what follows a bracket begins as the name of a table does, or as an error does that toml++ reports.
    private func isTableName(_ rest: ArraySlice<UInt8>) -> Bool {
        let inner = rest.first == UInt8(ascii: "[") ? rest.dropFirst() : rest
        guard let first = inner.first(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) else {
            return false
        }
        switch first {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "]"):
            return true
        default: return false
        }
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
