import TerminalUI

extension FuzzTarget {
    /// What a terminal sends: its first byte is the length of the pieces in which the rest arrives.
    static let keys = FuzzTarget(name: "keys", longest: 256) { bytes in
        let length = max(1, Int(bytes.first ?? 1))
        let rest = Array(bytes.dropFirst())
        var decoder = KeyDecoder()
        var keys: [Key] = []
        for start in stride(from: 0, to: rest.count, by: length) {
            keys += decoder.keys(in: rest[start..<min(start + length, rest.count)])
        }
        precondition(keys.count <= rest.count, "\(keys.count) keys of \(rest.count) bytes")
        for case .character(let character) in keys {
            let scalars = Array(character.unicodeScalars)
            precondition(
                scalars.count == 1 && scalars[0].value >= 0x20 && scalars[0].value != 0x7F, "a control character")
        }
        // A single escape is a key at the end of a piece only; all else is the same however it arrives.
        if !rest.contains(0x1B) {
            var whole = KeyDecoder()
            precondition(whole.keys(in: rest) == keys, "other keys in pieces of \(length) bytes")
        }
        // Whatever came before, keys are heard again: three bytes of a character may be waiting for their fourth.
        precondition(decoder.keys(in: "qqqq".utf8).last == .character("q"), "q is not heard any more")
    }
}
