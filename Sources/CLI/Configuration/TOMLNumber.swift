/// The numbers of TOML 1.0, and what looks like one of its dates.
enum TOMLNumber {
    /// A number as on a command line, in decimal digits; `nil` if it is none, or an integer of more than 64 bits.
    static func text(_ word: ArraySlice<UInt8>) -> String? {
        let digits = word.filter { $0 != UInt8(ascii: "_") }
        let text = String(decoding: digits, as: UTF8.self)
        // An underscore stands between two digits.
        let isOfNumber = text.hasPrefix("0x") ? isHexDigit : Byte.isDigit
        for place in word.indices where word[place] == UInt8(ascii: "_") {
            guard place > word.startIndex, place + 1 < word.endIndex, isOfNumber(word[place - 1]),
                isOfNumber(word[place + 1])
            else { return nil }
        }
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
            guard let first = digits.dropFirst(2).first, isHexDigit(first) else { return nil }
            return Int64(text.dropFirst(2), radix: radix).map { String($0) }
        }
        let isSigned = digits.first == UInt8(ascii: "+") || digits.first == UInt8(ascii: "-")
        let bare = digits.dropFirst(isSigned ? 1 : 0)
        if ["inf", "nan"].contains(String(decoding: bare, as: UTF8.self)) { return Double(text).map { String($0) } }
        let whole = bare.prefix(while: Byte.isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return nil }
        var rest = bare[whole.endIndex...]
        if rest.isEmpty { return Int64(text).map { String($0) } }
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: Byte.isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        if let mark = rest.first {
            guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
            let power = rest.dropFirst()
            let isSigned = power.first == UInt8(ascii: "+") || power.first == UInt8(ascii: "-")
            guard power.count > (isSigned ? 1 : 0), power.dropFirst(isSigned ? 1 : 0).allSatisfy(Byte.isDigit) else {
                return nil
            }
        }
        return Double(text).map { String($0) }
    }

    /// Whether a word begins as a date or a time does: `1979-05`, `07:32`.
    static func isDate(_ word: ArraySlice<UInt8>) -> Bool {
        let digits = word.prefix(while: Byte.isDigit)
        let mark = word[digits.endIndex...].first
        return digits.count == 4 && mark == UInt8(ascii: "-") || digits.count == 2 && mark == UInt8(ascii: ":")
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Byte.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20) && byte >= UInt8(ascii: "A")
    }
}
