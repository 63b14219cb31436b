/// The form in which names are compared: lower case, letters without accents and digits only, `♭` and `♯` spelled `b` and
/// `#`.
///
/// `"Werckmeister III"`, `"werckmeister-iii"` and `"WERCKMEISTER_III"` are the same name.
func lookupKey(_ name: some StringProtocol) -> String {
    let plain = name.utf8.withContiguousStorageIfAvailable { bytes -> String? in
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        return String(unsafeUninitializedCapacity: bytes.count) { key in
            var count = 0
            for byte in bytes {
                guard let letter = keyByte(byte) else { continue }
                key.initializeElement(at: count, to: letter)
                count += 1
            }
            return count
        }
    }
    if let plain, let plain { return plain }
    var key = ""
    for character in name {
        switch character {
        case "♭": key.append("b")
        case "♯": key.append("#")
        case "#", "+", "/": key.append(character)
        default: if character.isLetter || character.isNumber { key += withoutMarks(character.lowercased()) }
        }
    }
    return key
}

/// Whether `key` is the lookup key of a name. Hundreds of names are compared for one that a user gives, and nearly all differ in
/// the first letters: no key is made of them.
func isKey(_ key: String, of name: String) -> Bool {
    let isPlainKey = name.utf8.withContiguousStorageIfAvailable { bytes -> Bool? in
        var letters = key.utf8.makeIterator()
        for (n, byte) in bytes.enumerated() {
            // A mark belongs to the character before it, which it may change.
            guard byte < 0x80, n + 1 == bytes.count || bytes[n + 1] < 0x80 else { return nil }
            guard let letter = keyByte(byte) else { continue }
            guard letters.next() == letter else { return false }
        }
        return letters.next() == nil
    }
    if let isPlainKey, let isPlainKey { return isPlainKey }
    return lookupKey(name) == key
}

/// What an ASCII character becomes in a key; `nil`: it is left out.
private func keyByte(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "#"),
        UInt8(ascii: "+"), UInt8(ascii: "/"):
        byte
    default: nil
    }
}

/// A lower-case Latin letter without its marks, `e` for `é` and `ss` for `ß`; any other letter as it is.
private func withoutMarks(_ letter: String) -> String {
    if letter.allSatisfy(\.isASCII) { return letter }
    var plain = ""
    for scalar in letter.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
        // Unicode names é "LATIN SMALL LETTER E WITH ACUTE".
        let words = (scalar.properties.name ?? "").split(separator: " ")
        if words.count > 4, words[0...2].elementsEqual(["LATIN", "SMALL", "LETTER"]), words[4] == "WITH" {
            plain += words[3].lowercased()
        } else {
            plain += scalar == "ß" ? "ss" : String(scalar)
        }
    }
    return plain
}
