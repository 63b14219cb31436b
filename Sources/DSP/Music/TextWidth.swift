/// The number of terminal columns that `text` takes: a Han, kana or Hangul character takes two, a combining mark none.
///
/// The ranges are those that are Wide or Fullwidth in Unicode; ambiguous characters such as `♯` count as one column, as
/// terminals outside East Asian legacy encodings draw them. Cost: O(length).
/// - SeeAlso: Unicode Standard Annex 11, "East Asian Width".
@inlinable public func displayWidth(of text: some StringProtocol) -> Int {
    var width = 0
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: break  // control characters draw nothing
        case 0x0300...0x036F, 0x200B...0x200F, 0x20D0...0x20FF, 0xFE00...0xFE0F: break  // combining, zero width
        case 0x1160...0x11FF: break  // Hangul vowels and finals join the syllable before them
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF,
            0x20000...0x3FFFD:
            width += 2
        default: width += 1
        }
    }
    return width
}
