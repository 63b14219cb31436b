/// Texts in quotes.
extension TOMLScanner {
    /// Reads `"text"`, in which a backslash begins an escape, or `'text'`, in which it is one; either also between three
    /// quotes if `mayHaveLines`.
    mutating func quoted(mayHaveLines: Bool) throws(TOMLError) -> String {
        let mark = bytes[place], first = line
        let isLong = mayHaveLines && bytes[place...].prefix(3).elementsEqual([mark, mark, mark])
        place += isLong ? 3 : 1
        // A line feed right after three quotes does not count.
        if isLong { _ = takeLineEnd() }
        var text: [UInt8] = []
        while let byte = next {
            if byte == mark {
                let quotes = bytes[place...].prefix { $0 == mark }.prefix(isLong ? 5 : 1).count
                place += quotes
                // One or two belong to a long text, also before the three that end it.
                text += repeatElement(mark, count: quotes < 3 ? quotes : quotes - 3).prefix(isLong ? 2 : 0)
                guard isLong, quotes < 3 else { return String(decoding: text, as: UTF8.self) }
            } else if byte == Byte.backslash, mark == Byte.quote {
                place += 1
                if isLong, skipLineEnd() { continue }
                text += try escape()
            } else if takeLineEnd() {
                guard isLong else { break }
                text.append(Byte.lineFeed)
            } else {
                try check(byte)
                text.append(byte)
                place += 1
            }
        }
        throw TOMLError(line: first, problem: "a quote is not closed", remedy: "close it")
    }

    /// Reads a line end with the blanks and empty lines around it, which a backslash takes out of a long text.
    private mutating func skipLineEnd() -> Bool {
        let start = self
        skipBlanks()
        guard takeLineEnd() else {
            self = start
            return false
        }
        repeat { skipBlanks() } while takeLineEnd()
        return true
    }

    /// Reads what follows a backslash.
    private mutating func escape() throws(TOMLError) -> [UInt8] {
        for (mark, meaning) in Self.escapes where next == mark {
            place += 1
            return [meaning]
        }
        let digits = take("u") ? 4 : take("U") ? 8 : 0
        let code = String(decoding: bytes[place...].prefix(digits), as: UTF8.self)
        guard digits > 0, code.utf8.count == digits, code.utf8.first != UInt8(ascii: "+"),
            let scalar = UInt32(code, radix: 16).flatMap(Unicode.Scalar.init)
        else {
            throw error(
                "what follows a backslash has no meaning",
                "write two backslashes for one, or the text between apostrophes")
        }
        place += digits
        return Array(String(scalar).utf8)
    }

    private static let escapes: [(UInt8, UInt8)] = [
        (UInt8(ascii: "b"), 8), (UInt8(ascii: "t"), 9), (UInt8(ascii: "n"), 10), (UInt8(ascii: "f"), 12),
        (UInt8(ascii: "r"), 13), (Byte.quote, Byte.quote), (Byte.backslash, Byte.backslash),
    ]
}
