internal import CQREncode

/// An address as a code that a telephone reads (QR, ISO/IEC 18004), in half blocks: a line holds two rows of it.
enum CodePicture {
    /// The rim that a reader needs; the standard has 4, and readers do with 2.
    private static let rim = 2

    /// The lines of the picture, for dark ink on a light ground; none for a text that no code holds.
    static func lines(of text: String) -> [String] {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_L) else { return [] }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else { return [] }
        // The lowest bit of a cell is its colour.
        let cells = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (0..<width).contains(row) && (0..<width).contains(column) && cells[row * width + column]
        }
        return stride(from: -rim, to: width + rim, by: 2).map { row in
            String(
                (-rim..<width + rim).map { column -> Character in
                    switch (isDark(row, column), isDark(row + 1, column)) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }
}
