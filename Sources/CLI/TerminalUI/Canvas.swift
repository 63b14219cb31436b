/// A picture made of characters. Drawing outside of it does nothing.
package struct Canvas: Sendable, Equatable {
    /// A column of a row, in one word so that comparing pictures is fast. The second column of a wide character is covered.
    struct Cell: Sendable, Equatable {
        /// 21 bits of code point, 8 of ink, 1 for a column that a wide character covers.
        private var bits: UInt32

        init(scalar: Unicode.Scalar = " ", ink: Ink = .plain, isCovered: Bool = false) {
            bits = scalar.value | UInt32(ink.rawValue) << 21 | (isCovered ? 1 << 29 : 0)
        }

        var scalar: Unicode.Scalar { Unicode.Scalar(bits & 0x1F_FFFF) ?? " " }
        var ink: Ink { Ink(rawValue: UInt8(truncatingIfNeeded: bits >> 21)) ?? .plain }
        var isCovered: Bool { bits >> 29 != 0 }
    }

    package let columns: Int, rows: Int
    /// Whether characters outside ASCII are kept. If not, they become `?`.
    package let unicode: Bool
    var cells: [Cell]

    package init(columns: Int, rows: Int, unicode: Bool) {
        (self.columns, self.rows, self.unicode) = (max(1, columns), max(1, rows), unicode)
        cells = [Cell](repeating: Cell(), count: self.columns * self.rows)
    }

    package mutating func wipe() { cells.withUnsafeMutableBufferPointer { $0.update(repeating: Cell()) } }

    /// Writes text to the right of a column, and cuts off what does not fit.
    ///
    /// - Returns: the column after the last one written.
    @discardableResult
    package mutating func write(_ text: String, row: Int, column: Int, ink: Ink = .plain) -> Int {
        var column = column
        for scalar in text.unicodeScalars {
            let width = Self.width(of: scalar)
            if width > 0 { put(scalar, width: width, row: row, column: column, ink: ink) }
            column += width
        }
        return column
    }

    /// Writes text so that it ends before `column`.
    package mutating func write(_ text: String, row: Int, endingAt column: Int, ink: Ink = .plain) {
        write(text, row: row, column: column - displayWidth(of: text), ink: ink)
    }

    package mutating func write(_ text: String, row: Int, centredAt column: Int, ink: Ink = .plain) {
        write(text, row: row, column: column - displayWidth(of: text) / 2, ink: ink)
    }

    /// Writes a character of one column or two; nothing unless all of it lies on the canvas.
    package mutating func put(_ scalar: Unicode.Scalar, width: Int = 1, row: Int, column: Int, ink: Ink = .plain) {
        guard (0..<rows).contains(row), column >= 0, column + width <= columns else { return }
        let index = row * columns + column
        wipeHalves(index, index + width, isAtEdge: column + width == columns)
        let known = unicode || scalar.isASCII
        cells[index] = Cell(scalar: known ? scalar : "?", ink: ink)
        if width == 2 { cells[index + 1] = known ? Cell(ink: ink, isCovered: true) : Cell(ink: ink) }
    }

    /// Draws a character of one column in each of these columns.
    package mutating func fill(_ scalar: Unicode.Scalar, row: Int, columns wanted: Range<Int>, ink: Ink = .plain) {
        let inside = wanted.clamped(to: 0..<columns)
        guard (0..<rows).contains(row), !inside.isEmpty else { return }
        let (first, end) = (row * columns + inside.lowerBound, row * columns + inside.upperBound)
        wipeHalves(first, end, isAtEdge: inside.upperBound == columns)
        let cell = Cell(scalar: unicode || scalar.isASCII ? scalar : "?", ink: ink)
        for index in first..<end { cells[index] = cell }
    }

    /// Draws a bar, of which a share from 0 to 1 is full.
    package mutating func drawBar(_ share: Double, row: Int, columns: Range<Int>, ink: Ink = .plain) {
        let end = columns.lowerBound + Int((max(0, min(1, share)) * Double(columns.count)).rounded())
        fill(unicode ? "━" : "=", row: row, columns: columns.lowerBound..<end, ink: ink)
        fill(unicode ? "╌" : ".", row: row, columns: end..<columns.upperBound, ink: .dim)
    }

    package mutating func `repeat`(row: Int, below count: Int) {
        guard row >= 0 else { return }
        for copy in row + 1..<max(row + 1, min(rows, row + 1 + count)) {
            for column in 0..<columns { cells[copy * columns + column] = cells[row * columns + column] }
        }
    }

    package mutating func color(_ ink: Ink) {
        for (index, cell) in cells.enumerated() {
            cells[index] = Cell(scalar: cell.scalar, ink: ink, isCovered: cell.isCovered)
        }
    }

    /// A row as text, without trailing spaces.
    package func text(row: Int) -> String {
        guard (0..<rows).contains(row) else { return "" }
        var text = String.UnicodeScalarView()
        for cell in cells[row * columns..<(row + 1) * columns] where !cell.isCovered { text.append(cell.scalar) }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    package var text: String { (0..<rows).map { text(row: $0) }.joined(separator: "\n") }

    /// Erases the other half of a wide character that is partly overwritten.
    private mutating func wipeHalves(_ first: Int, _ end: Int, isAtEdge: Bool) {
        if cells[first].isCovered, first > 0 { cells[first - 1] = Cell(ink: cells[first - 1].ink) }
        if !isAtEdge, cells[end].isCovered { cells[end] = Cell() }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        // A shortcut for the common ranges, which have neither wide characters nor control characters.
        if scalar.value >= 0x20 && scalar.value < 0x7F || scalar.value >= 0xA0 && scalar.value < 0x300 { return 1 }
        return displayWidth(of: scalar)
    }
}
