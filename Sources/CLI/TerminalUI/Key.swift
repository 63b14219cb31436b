package enum Key: Sendable, Hashable {
    case character(Character)
    case up, down, left, right, pageUp, pageDown
    case enter, escape, backspace
}

/// Decodes the bytes that a terminal sends into keys. It ignores unknown bytes.
package struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []

    package init() {}

    /// The keys that these bytes complete. A single escape at the end is the Escape key, since terminals send a sequence at
    /// once.
    package mutating func keys(in bytes: some Sequence<UInt8>) -> [Key] {
        pending.append(contentsOf: bytes)
        var keys: [Key] = []
        var rest = pending[...]
        while let first = rest.first {
            guard first == 0x1B else {
                guard let (key, length) = Self.character(rest) else { break }
                if let key { keys.append(key) }
                rest = rest.dropFirst(length)
                continue
            }
            let (key, length) = Self.sequence(rest)
            if let key { keys.append(key) }
            rest = rest.dropFirst(length)
        }
        // Keep the start of a UTF-8 character, which has at most four bytes.
        pending = rest.count < 4 ? Array(rest) : []
        return keys
    }

    private static func character(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x0D, 0x0A: return (.enter, 1)
        case 0x08, 0x7F: return (.backspace, 1)
        case 0..<0x20: return (nil, 1)
        case 0x20..<0x7F: return (.character(Character(Unicode.Scalar(first))), 1)
        default: break
        }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
        guard length > 1 else { return (nil, 1) }
        guard bytes.count >= length else { return nil }
        guard let text = String(validating: bytes.prefix(length), as: UTF8.self), let character = text.first else {
            return (nil, 1)
        }
        return (.character(character), length)
    }

    /// Reads an escape sequence: `ESC [ parameters final` or `ESC O final`.
    private static func sequence(_ bytes: ArraySlice<UInt8>) -> (key: Key?, length: Int) {
        let start = bytes.startIndex
        guard bytes.count > 1, bytes[start + 1] == 0x5B || bytes[start + 1] == 0x4F else { return (.escape, 1) }
        var index = start + 2
        while index < bytes.endIndex, (0x20...0x3F).contains(bytes[index]) { index += 1 }
        guard index < bytes.endIndex else { return (nil, bytes.count) }
        let parameter = bytes[(start + 2)..<index].first
        let key: Key? =
            switch (bytes[index], parameter) {
            case (0x41, _): .up
            case (0x42, _): .down
            case (0x43, _): .right
            case (0x44, _): .left
            case (0x7E, 0x35): .pageUp
            case (0x7E, 0x36): .pageDown
            default: nil
            }
        return (key, index - start + 1)
    }
}
