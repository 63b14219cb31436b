internal import Glibc

/// The bytes that change one picture on a terminal into the next (ECMA-48), collected for one write.
///
/// It reuses its memory. A frame costs one memory comparison for each row and the bytes of the changes. A row that changes
/// like the one above it, as in the strobe, costs only a copy.
struct TerminalFrame {
    private(set) var bytes: [UInt8] = []
    /// The number of bytes before any change.
    private var head = 0
    /// The sequence that switches to each ink.
    private let inks: [[UInt8]]
    private var ink: Ink?
    /// The last row that changed, its first changed column, and the ink at the start of its bytes.
    private var last: (row: Int, column: Int, ink: Ink?)?
    /// The bytes of that row. The cursor moves by column numbers only, so that equal rows have equal bytes.
    private var body: [UInt8] = []

    init(colored: Bool) {
        inks = Ink.allCases.map { Array("\u{1B}[\($0.parameters(colored: colored))m".utf8) }
    }

    /// Begins a synchronized update, after a sequence that is not part of it.
    mutating func begin(after text: String = "") {
        bytes.removeAll(keepingCapacity: true)
        append(text)
        append("\u{1B}[?2026h")
        (ink, last, head) = (nil, nil, bytes.count)
    }

    /// Ends the update. An update without changes has no bytes.
    mutating func end() {
        guard bytes.count > head else { return bytes.removeAll(keepingCapacity: true) }
        append("\u{1B}[0m\u{1B}[?2026l")
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ canvas: borrowing Canvas, over old: borrowing Canvas) {
        let width = canvas.columns
        canvas.cells.withUnsafeBufferPointer { cells in
            old.cells.withUnsafeBufferPointer { before in
                guard cells.count == before.count else { return }
                for row in 0..<canvas.rows {
                    let place = row * width..<(row + 1) * width
                    let (new, old) = (Cells(rebasing: cells[place]), Cells(rebasing: before[place]))
                    guard !isSame(new, old) else { continue }
                    if let last, last.row == row - 1, last.ink == ink {
                        let above = place.lowerBound - width..<place.lowerBound
                        if isSame(new, Cells(rebasing: cells[above])), isSame(old, Cells(rebasing: before[above])) {
                            send(row, from: last.column, beganWith: last.ink)
                            continue
                        }
                    }
                    let start = ink
                    guard let first = write(new, over: old) else { continue }
                    send(row, from: first, beganWith: start)
                }
            }
        }
    }

    private typealias Cells = UnsafeBufferPointer<Canvas.Cell>

    private func isSame(_ a: Cells, _ b: Cells) -> Bool {
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return memcmp(first, second, a.count * MemoryLayout<Canvas.Cell>.stride) == 0
    }

    private mutating func send(_ row: Int, from column: Int, beganWith ink: Ink?) {
        append("\u{1B}[")
        bytes.append(decimal: row + 1)
        append(";")
        bytes.append(decimal: column + 1)
        append("H")
        bytes.append(contentsOf: body)
        last = (row, column, ink)
    }

    /// Writes the changes of a row into `body` and returns the column of the first one, where the cursor must be.
    private mutating func write(_ new: Cells, over old: Cells) -> Int? {
        body.removeAll(keepingCapacity: true)
        var first: Int?
        var (column, cursor) = (0, -1)
        while column < new.count {
            let cell = new[column]
            if cell == old[column] || cell.isCovered && cursor != column {
                column += 1
                continue
            }
            if first == nil {
                first = column
            } else if cursor != column {
                body.append(contentsOf: "\u{1B}[".utf8)
                body.append(decimal: column + 1)
                body.append(UInt8(ascii: "G"))
            }
            if ink != cell.ink {
                body.append(contentsOf: inks[Int(cell.ink.rawValue)])
                ink = cell.ink
            }
            body.append(utf8: cell.scalar)
            let isWide = column + 1 < new.count && new[column + 1].isCovered
            column += isWide ? 2 : 1
            cursor = column
        }
        return first
    }
}

extension [UInt8] {
    fileprivate mutating func append(decimal number: Int) {
        if number >= 10 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    fileprivate mutating func append(utf8 scalar: Unicode.Scalar) {
        if scalar.isASCII { return append(UInt8(truncatingIfNeeded: scalar.value)) }
        for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(unit) }
    }
}
