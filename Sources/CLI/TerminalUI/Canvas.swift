internal import Music

/// A picture made of characters: what the screen is to show. Drawing outside of it does nothing.
public struct Canvas: Sendable, Equatable {
    /// One place of the picture. The second column of a wide character holds nothing.
    struct Cell: Sendable, Equatable {
        var scalar: Unicode.Scalar = " "
        var ink = Ink.plain
        var isCovered = false
    }

    /// Its size.
    public let columns: Int, rows: Int
    /// Whether characters outside ASCII are kept; otherwise `?` takes their place.
    public let unicode: Bool
    var cells: [Cell]

    /// An empty picture.
    public init(columns: Int, rows: Int, unicode: Bool) {
        (self.columns, self.rows, self.unicode) = (max(1, columns), max(1, rows), unicode)
        cells = [Cell](repeating: Cell(), count: self.columns * self.rows)
    }

    /// Writes text from a place on to the right; what does not fit is cut off.
    ///
    /// - Returns: the column after the last one written.
    @discardableResult
    public mutating func write(_ text: String, row: Int, column: Int, ink: Ink = .plain) -> Int {
        var column = column
        for scalar in text.unicodeScalars {
            let width = Self.width(of: scalar)
            if width > 0 { put(scalar, width: width, row: row, column: column, ink: ink) }
            column += width
        }
        return column
    }

    /// Writes text so that it ends before `column`.
    public mutating func write(_ text: String, row: Int, endingAt column: Int, ink: Ink = .plain) {
        write(text, row: row, column: column - displayWidth(of: text), ink: ink)
    }

    /// Writes text in the middle.
    public mutating func write(_ text: String, row: Int, centredAt column: Int, ink: Ink = .plain) {
        write(text, row: row, column: column - displayWidth(of: text) / 2, ink: ink)
    }

    /// Puts one character of one column.
    public mutating func put(_ scalar: Unicode.Scalar, row: Int, column: Int, ink: Ink = .plain) {
        put(scalar, width: 1, row: row, column: column, ink: ink)
    }

    /// A row as text, without the spaces at its end.
    public func text(row: Int) -> String {
        guard (0..<rows).contains(row) else { return "" }
        var text = String.UnicodeScalarView()
        for cell in cells[row * columns..<(row + 1) * columns] where !cell.isCovered { text.append(cell.scalar) }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// All rows as text.
    public var text: String { (0..<rows).map { text(row: $0) }.joined(separator: "\n") }

    private mutating func put(_ scalar: Unicode.Scalar, width: Int, row: Int, column: Int, ink: Ink) {
        guard (0..<rows).contains(row), column >= 0, column + width <= columns else { return }
        let index = row * columns + column
        // Half of a wide character does not stay behind.
        if cells[index].isCovered, column > 0 { cells[index - 1].scalar = " " }
        if column + width < columns, cells[index + width].isCovered { cells[index + width] = Cell() }
        let known = unicode || scalar.isASCII
        cells[index] = Cell(scalar: known ? scalar : "?", ink: ink)
        if width == 2 { cells[index + 1] = known ? Cell(ink: ink, isCovered: true) : Cell(ink: ink) }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        // Nothing below the Hangul letters is wide, and of these only control characters and combining marks have none.
        if scalar.value >= 0x20 && scalar.value < 0x7F || scalar.value >= 0xA0 && scalar.value < 0x300 { return 1 }
        return displayWidth(of: String(scalar))
    }
}
