import Music
import Testing

@testable import TerminalUI

/// A terminal that understands what a screen sends: cursor, inks, wiping, wide characters. What it does not know it counts.
struct TestTerminal {
    /// A column: its character, nothing where a wide one covers it, and the parameters of its ink.
    struct Cell: Equatable {
        var scalar: Unicode.Scalar? = " "
        var ink = "0"
    }

    let columns: Int, rows: Int
    private(set) var cells: [Cell]
    private(set) var unknown = 0
    private var (row, column, ink) = (0, 0, "0")

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = [Cell](repeating: Cell(), count: columns * rows)
    }

    mutating func take(_ bytes: [UInt8]) {
        var scalars = Substring(String(decoding: bytes, as: UTF8.self)).unicodeScalars
        while let scalar = scalars.popFirst() {
            guard scalar == "\u{1B}" else {
                write(scalar)
                continue
            }
            var sequence = String(scalars.popFirst() ?? " ")
            while let next = scalars.popFirst() {
                sequence.unicodeScalars.append(next)
                if (0x40...0x7E).contains(next.value) { break }
            }
            obey(sequence)
        }
    }

    private mutating func obey(_ sequence: String) {
        let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
        switch sequence.last {
        case "H" where numbers.count == 2: (row, column) = (numbers[0] - 1, numbers[1] - 1)
        case "G" where numbers.count == 1: column = numbers[0] - 1
        case "m": ink = String(sequence.dropFirst().dropLast())
        case "J" where numbers == [2]: cells = [Cell](repeating: Cell(), count: columns * rows)
        case "h" where sequence.hasPrefix("[?"), "l" where sequence.hasPrefix("[?"): break
        default: unknown += 1
        }
    }

    private mutating func write(_ scalar: Unicode.Scalar) {
        let width = displayWidth(of: String(scalar))
        guard (0..<rows).contains(row), column >= 0, column + width <= columns else { return unknown += 1 }
        let place = row * columns + column
        // Half of a wide character goes with the other half.
        if cells[place].scalar == nil { cells[place - 1].scalar = " " }
        if column + width < columns, cells[place + width].scalar == nil { cells[place + width].scalar = " " }
        cells[place] = Cell(scalar: scalar, ink: ink)
        if width == 2 { cells[place + 1] = Cell(scalar: nil, ink: ink) }
        column += width
    }

    /// What a terminal should show of a picture.
    static func cells(of canvas: Canvas, colored: Bool) -> [Cell] {
        canvas.cells.map { cell in
            Cell(scalar: cell.isCovered ? nil : cell.scalar, ink: cell.ink.parameters(colored: colored))
        }
    }
}

extension MetronomeScreen {
    static func draw(_ model: MetronomeModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        draw(model, on: Canvas(columns: columns, rows: rows, unicode: unicode))
    }
}
