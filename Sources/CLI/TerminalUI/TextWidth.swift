/// The number of terminal columns that `text` occupies: 2 for a Han, kana or Hangul character, 0 for a combining mark.
///
/// Wide characters are those that Unicode calls Wide or Fullwidth. Ambiguous characters such as `♯` count as one column, as
/// terminals outside East Asian legacy encodings draw them. Cost: O(length).
/// - SeeAlso: Unicode Standard Annex 11, "East Asian Width".
package func displayWidth(of text: some StringProtocol) -> Int {
    text.unicodeScalars.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The number of terminal columns that a scalar occupies.
package func displayWidth(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: 0  // control characters
    case 0x0300...0x036F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F: 0  // combining, zero width
    case 0x1160...0x11FF: 0  // Hangul vowels and finals join the syllable before them
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
        0x20000...0x3FFFD:
        2
    default: 1
    }
}

/// `text` with spaces after it, at least `columns` wide.
package func padded(_ text: String, toColumns columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - displayWidth(of: text)))
}

/// `text` cut to `columns`.
package func fitted(_ text: String, _ columns: Int) -> String {
    var fitted = text
    while displayWidth(of: fitted) > max(0, columns) { fitted.removeLast() }
    return fitted
}

/// The first text that fits into `columns`, of texts from long to short; the last if none fits.
package func widest(of texts: [String], columns: Int) -> String {
    texts.first { displayWidth(of: $0) <= columns } ?? texts.last ?? ""
}
