/// Large letters that can be read from a distance.
///
/// A glyph is five pixels wide and seven high. At scale s a pixel is s columns wide and s half-rows high, so that it is
/// square on most terminals.
package enum BigText {
    /// Whether every character has a glyph.
    package static func canShow(_ text: String) -> Bool { !text.isEmpty && text.allSatisfy { glyphs[$0] != nil } }

    /// The width of a text of `count` characters, in columns.
    package static func columns(_ count: Int, scale: Int) -> Int { max(0, count * 6 - 1) * scale }

    /// The height of a text, in rows.
    package static func rows(scale: Int, unicode: Bool) -> Int { unicode ? (7 * scale + 1) / 2 : 7 * ((scale + 1) / 2) }

    /// The largest scale up to `most` at which `count` characters fit into these rows and columns; 0 if there is none.
    package static func scale(of count: Int, rows room: Int, columns width: Int, unicode: Bool, most: Int) -> Int {
        (1...most).prefix { rows(scale: $0, unicode: unicode) <= room && columns(count, scale: $0) <= width }.count
    }

    /// Draws a text. Characters without a glyph leave a gap.
    package static func draw(
        _ text: String, on canvas: inout Canvas, row: Int, column: Int, scale: Int, ink: Ink = .plain,
        fading: Fading = .sounding
    ) {
        for (index, character) in text.enumerated() {
            guard let glyph = glyphs[character] else { continue }
            let left = column + index * 6 * scale
            for line in 0..<rows(scale: scale, unicode: canvas.unicode) {
                for pixel in 0..<5 {
                    let mark: Unicode.Scalar?
                    if canvas.unicode {
                        let top = isSet(glyph, pixel, 2 * line / scale)
                        let bottom = isSet(glyph, pixel, (2 * line + 1) / scale)
                        mark =
                            top
                            ? (bottom ? fading.block(unicode: true) : fading.upperHalf)
                            : bottom ? fading.lowerHalf : nil
                    } else {
                        mark = isSet(glyph, pixel, line / ((scale + 1) / 2)) ? fading.block(unicode: false) : nil
                    }
                    guard let mark else { continue }
                    let start = left + pixel * scale
                    canvas.fill(mark, row: row + line, columns: start..<start + scale, ink: ink)
                }
            }
        }
    }

    private static func isSet(_ glyph: [UInt8], _ column: Int, _ row: Int) -> Bool {
        row < 7 && glyph[row] & (0b10000 >> UInt8(column)) != 0
    }

    /// Seven rows from the top, the leftmost pixel in bit 4.
    private static let glyphs: [Character: [UInt8]] = [
        " ": [0, 0, 0, 0, 0, 0, 0], "=": [0, 0, 0b11111, 0, 0b11111, 0, 0],
        "A": [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        "B": [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
        "C": [0b01111, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b01111],
        "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
        "E": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
        "F": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000],
        "G": [0b01111, 0b10000, 0b10000, 0b10011, 0b10001, 0b10001, 0b01111],
        "H": [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
        "L": [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
        "M": [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
        "N": [0b10001, 0b11001, 0b11001, 0b10101, 0b10011, 0b10011, 0b10001],
        "P": [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
        "R": [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
        "S": [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
        "I": [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        "J": [0b00111, 0b00010, 0b00010, 0b00010, 0b00010, 0b10010, 0b01100],
        "K": [0b10001, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010, 0b10001],
        "O": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        "Q": [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101],
        "T": [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
        "U": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        "V": [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
        "W": [0b10001, 0b10001, 0b10001, 0b10101, 0b10101, 0b11011, 0b10001],
        "X": [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001],
        "Y": [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
        "Z": [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b11111],
        "a": [0, 0, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111],
        "b": [0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b11110],
        "c": [0, 0, 0b01111, 0b10000, 0b10000, 0b10000, 0b01111],
        "d": [0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111],
        "e": [0, 0, 0b01110, 0b10001, 0b11111, 0b10000, 0b01111],
        "f": [0b00111, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b01000],
        "g": [0, 0b01111, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110],
        "h": [0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001],
        "i": [0b00100, 0, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110],
        "l": [0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        "m": [0, 0, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101],
        "n": [0, 0, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001],
        "o": [0, 0, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110],
        "p": [0, 0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000],
        "r": [0, 0, 0b10111, 0b11000, 0b10000, 0b10000, 0b10000],
        "s": [0, 0, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
        "t": [0b01000, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b00111],
        "u": [0, 0, 0b10001, 0b10001, 0b10001, 0b10001, 0b01111],
        "j": [0b00010, 0, 0b00110, 0b00010, 0b00010, 0b10010, 0b01100],
        "k": [0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010],
        "q": [0, 0b01111, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001],
        "v": [0, 0, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
        "w": [0, 0, 0b10001, 0b10001, 0b10101, 0b10101, 0b01010],
        "x": [0, 0, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001],
        "y": [0, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110],
        "z": [0, 0, 0b11111, 0b00010, 0b00100, 0b01000, 0b11111],
        "0": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
        "3": [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110],
        "4": [0b10010, 0b10010, 0b10010, 0b11111, 0b00010, 0b00010, 0b00010],
        "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b00001, 0b11110],
        "6": [0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
        "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        "9": [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110],
        "#": [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010],
        "♯": [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010],
        "♭": [0b10000, 0b10000, 0b10000, 0b10110, 0b11001, 0b10010, 0b11100],
        "+": [0, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0],
        "-": [0, 0, 0, 0b11111, 0, 0, 0],
        "−": [0, 0, 0, 0b11111, 0, 0, 0],
        ".": [0, 0, 0, 0, 0, 0b01100, 0b01100],
        ",": [0, 0, 0, 0, 0b00100, 0b00100, 0b01000],
        "'": [0b00100, 0b00100, 0b01000, 0, 0, 0, 0],
        "/": [0b00001, 0b00001, 0b00010, 0b00100, 0b01000, 0b10000, 0b10000],
        ":": [0, 0b00100, 0b00100, 0, 0b00100, 0b00100, 0],
        // The Japanese names. 嬰 and 変 have too many strokes and are drawn as ♯ and ♭.
        "イ": [0b00001, 0b00010, 0b00110, 0b01100, 0b10100, 0b00100, 0b00100],
        "ロ": [0, 0b11111, 0b10001, 0b10001, 0b10001, 0b11111, 0b10001],
        "ハ": [0, 0b01010, 0b01010, 0b01001, 0b10001, 0b10001, 0],
        "ニ": [0, 0b01110, 0, 0, 0, 0b11111, 0],
        "ホ": [0b00100, 0b11111, 0b00100, 0b10101, 0b10101, 0b10101, 0b00100],
        "ヘ": [0, 0b01000, 0b10100, 0b00010, 0b00010, 0b00001, 0],
        "ト": [0b01000, 0b01000, 0b01000, 0b01110, 0b01001, 0b01000, 0b01000],
        "嬰": [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010],
        "変": [0b10000, 0b10000, 0b10000, 0b10110, 0b11001, 0b10010, 0b11100],
    ]
}
