internal import Platform

/// What is wrong in a settings file, and where.
struct TOMLError: Error {
    /// From 1.
    let line: Int
    let problem: String, remedy: String
}

/// Reads the keys and values of TOML 1.0 (toml.io/en/v1.0.0), byte for byte.
///
/// A setting is a text, a number or a truth value: a list or a date is refused where it begins.
struct TOMLScanner {
    enum Value {
        case text(String), number(String), truth(Bool)
        /// `{`: a table in braces, whose keys follow.
        case table
    }

    let bytes: [UInt8]
    var place = 0
    /// The line that is read, from 1.
    var line = 1

    init(_ text: String) {
        bytes = Array(text.utf8)
        _ = take("\u{FEFF}")
    }

    /// The next byte; `nil` at the end.
    var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// Reads this text if it follows.
    mutating func take(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[place...].starts(with: wanted) else { return false }
        place += wanted.count
        return true
    }

    mutating func skipBlanks() {
        while next == Byte.blank || next == Byte.tab { place += 1 }
    }

    /// Reads a line feed, which a carriage return may precede; false if none follows.
    mutating func takeLineEnd() -> Bool {
        guard take("\n") || take("\r\n") else { return false }
        line += 1
        return true
    }

    /// Reads blanks, comments and empty lines.
    mutating func skipToContent() throws(TOMLError) {
        repeat {
            skipBlanks()
            guard take("#") else { continue }
            while let byte = next, byte != Byte.lineFeed, !bytes[place...].starts(with: Byte.carriageReturnLineFeed) {
                try check(byte)
                place += 1
            }
        } while takeLineEnd()
    }

    /// Reads a key, or several with points between them.
    ///
    /// - Parameter expected: the error where none begins.
    mutating func key(or expected: (problem: String, remedy: String)) throws(TOMLError) -> [String] {
        var parts: [String] = []
        repeat {
            skipBlanks()
            if next == Byte.quote || next == Byte.apostrophe {
                parts.append(try quoted(mayHaveLines: false))
            } else {
                let name = bytes[place...].prefix { Byte.isOfBareKey($0) }
                guard !name.isEmpty else { throw error(expected.problem, expected.remedy) }
                parts.append(String(decoding: name, as: UTF8.self))
                place = name.endIndex
            }
            guard parts.count <= Self.mostParts, parts[parts.count - 1].utf8.count <= Self.longestPart else {
                throw error(
                    "a name has more than \(Self.mostParts) parts, or \(Self.longestPart) bytes in one",
                    "write it as [tuner] or [tuner-tone]")
            }
            skipBlanks()
        } while take(".")
        return parts
    }

    /// No name of a table has more than two: 16 bound what a file of the same key again and again costs.
    static let mostParts = 16
    /// In bytes: messages tell the name, and tables that are not ours are kept. The longest option has some twenty.
    private static let longestPart = 1_000

    /// Reads the value of a key.
    mutating func value(of key: String) throws(TOMLError) -> Value {
        skipBlanks()
        if next == Byte.quote || next == Byte.apostrophe { return .text(try quoted(mayHaveLines: true)) }
        if take("{") { return .table }
        let word = bytes[place...].prefix { $0 > Byte.blank && !Byte.marks.contains($0) }
        if next == Byte.bracket || TOMLNumber.isDate(word) {
            throw error("\(key.legible) is a list or a date", "set it to a text, a number, true or false")
        }
        let text = String(decoding: word, as: UTF8.self)
        let truth = Bool(text)
        guard let value = truth.map({ Value.truth($0) }) ?? TOMLNumber.text(word).map({ .number($0) }) else {
            throw error(
                "\(key.legible) has no value that can be read",
                "set it to a number, to true or false, or to a text in quotes, such as \"guitar\"")
        }
        place = word.endIndex
        return value
    }

    /// Refuses a control character.
    func check(_ byte: UInt8) throws(TOMLError) {
        guard byte >= 0x20 && byte != 0x7F || byte == Byte.tab else {
            throw error("a control character is in it", "remove it, or write \\u0007 for it in a text in quotes")
        }
    }

    /// An error on the line that is read.
    func error(_ problem: String, _ remedy: String) -> TOMLError {
        TOMLError(line: line, problem: problem, remedy: remedy)
    }
}

/// Bytes of the grammar.
enum Byte {
    static let blank = UInt8(ascii: " "), tab = UInt8(ascii: "\t"), lineFeed = UInt8(ascii: "\n")
    static let carriageReturnLineFeed: [UInt8] = [0x0D, 0x0A]
    static let quote = UInt8(ascii: "\""), apostrophe = UInt8(ascii: "'"), backslash = UInt8(ascii: "\\")
    static let bracket = UInt8(ascii: "[")
    /// What ends a number.
    static let marks = Array("[]{},#=\"'\u{7F}".utf8)

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    static func isOfBareKey(_ byte: UInt8) -> Bool {
        let letter = byte | 0x20
        return isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) && byte >= UInt8(ascii: "A")
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
