internal import Intonation
internal import Music
internal import TerminalUI

/// All strings side by side: each with its name, a needle that points up for sharp, cents, and a word.
extension TunerScreen {
    /// The least width of a string: `+12.3` and a blank.
    private static let leastColumns = 6
    /// Wider than this, the needles would stand too far apart to compare.
    private static let mostColumns = 40
    /// A name, a needle of one row, and cents.
    private static let leastRows = 3

    mutating func drawBoard(top: Int, bottom: Int) {
        let cells = model.boardCells(unicode: canvas.unicode)
        let rows = bottom - top
        guard !cells.isEmpty, rows > 0 else { return }
        canvas.write(
            fitted(widest(of: model.boardSentences, columns: canvas.columns - 2), canvas.columns - 2), row: bottom,
            centredAt: middle, ink: model.isBoardOld ? .dim : .plain)
        // Twelve strings take two bands where one is too narrow, if there are rows for two.
        let wanted = (cells.count * Self.leastColumns + canvas.columns - 1) / canvas.columns
        let bands = max(1, min(wanted, rows / Self.leastRows))
        let each = (cells.count + bands - 1) / bands
        let width = min(Self.mostColumns, canvas.columns / each)
        let left = (canvas.columns - width * each) / 2
        for (index, cell) in cells.enumerated() {
            let frame = CellFrame(
                column: left + index % each * width, row: top + index / each * (rows / bands), columns: width,
                rows: rows / bands, longestName: cells.map(\.name.count).max() ?? 2)
            draw(cell, in: frame)
        }
    }

    private mutating func draw(_ cell: BoardCell, in frame: CellFrame) {
        let centre = frame.column + frame.columns / 2
        let room = frame.columns - 1
        let ink = cell.reading.map { model.ink($0) } ?? .dim
        var row = frame.row
        func scale(_ count: Int) -> Int {
            BigText.scale(of: count, rows: frame.rows / 6, columns: room - 1, unicode: canvas.unicode, most: 2)
        }
        let big = scale(frame.longestName)
        if big > 0, BigText.canShow(cell.name) {
            let head = "\(cell.number)" + (cell.isDone ? " \(cell.tick) in tune" : "")
            canvas.write(head, row: row, centredAt: centre, ink: cell.isDone ? .inTune : .dim)
            let column = centre - BigText.columns(cell.name.count, scale: big) / 2
            BigText.draw(cell.name, on: &canvas, row: row + 1, column: column, scale: big, ink: ink)
            row += 2 + BigText.rows(scale: big, unicode: canvas.unicode)
        } else {
            let tick = cell.isDone ? cell.tick : ""
            let texts = ["\(cell.number):\(cell.name)\(tick)", cell.name + tick, cell.name]
            let name = fitted(widest(of: texts, columns: room), room)
            canvas.write(name, row: row, centredAt: centre, ink: ink == .dim ? .plain : ink)
            row += 1
        }
        // From the bottom up: the word, the error, the cents. The needle gets the rest: the same rows for every string.
        var bottom = frame.row + frame.rows - (frame.rows >= 14 ? 1 : 0)
        let words = cell.words(columns: room, rows: frame.wordRows)
        bottom -= frame.wordRows
        for (line, word) in words.enumerated() {
            canvas.write(fitted(word, room), row: bottom + line, centredAt: centre, ink: ink)
        }
        if frame.rows >= 9 {
            bottom -= 1
            canvas.write(fitted(cell.error, room), row: bottom, centredAt: centre, ink: .dim)
        }
        let bigCents = scale(5)
        if bigCents > 0 {
            bottom -= BigText.rows(scale: bigCents, unicode: canvas.unicode)
            let column = centre - BigText.columns(cell.cents(5).count, scale: bigCents) / 2
            BigText.draw(cell.cents(5), on: &canvas, row: bottom, column: column, scale: bigCents, ink: ink)
        } else {
            bottom -= 1
            canvas.write(cell.cents(room), row: bottom, centredAt: centre, ink: ink)
        }
        drawNeedle(cell, rows: row..<max(row, bottom), frame, ink: ink)
    }

    /// A needle that stands in the middle of its rows when the string is in tune, and above that when it is sharp.
    private mutating func drawNeedle(_ cell: BoardCell, rows: Range<Int>, _ frame: CellFrame, ink: Ink) {
        guard !rows.isEmpty else { return }
        let lines = canvas.unicode ? 2 * rows.count : rows.count
        func line(_ cents: Double) -> Int {
            Int(((1 - CentsScale.place(of: cents)) / 2 * Double(lines - 1)).rounded())
        }
        func row(_ line: Int) -> Int { rows.lowerBound + (canvas.unicode ? line / 2 : line) }
        let centre = frame.column + frame.columns / 2
        let half = min(8, (frame.columns - 2) / 2)
        let wide = centre - half..<centre + half + (frame.columns % 2 == 0 ? 0 : 1)
        if frame.columns >= 24, rows.count >= 9 {
            // Skip a number that would overlap the one before.
            var free = rows.lowerBound
            for mark in CentsScale.marks.reversed() where row(line(mark)) >= free {
                let text = mark == 0 ? "0" : fixedPoint(mark, decimals: 0, signed: true)
                canvas.write(text, row: row(line(mark)), endingAt: wide.lowerBound - 1, ink: .dim)
                free = row(line(mark)) + 1
            }
        }
        canvas.fill(canvas.unicode ? "─" : "-", row: row(line(0)), columns: wide, ink: .dim)
        guard cell.isHeard, let reading = cell.reading else { return }
        let place = line(reading.cents)
        let (from, to) = (min(row(place), row(line(0))), max(row(place), row(line(0))))
        for stem in from...to {
            canvas.put(canvas.unicode ? "│" : "|", row: stem, column: centre, ink: ink)
        }
        let hand: Unicode.Scalar =
            !canvas.unicode ? "#" : reading.verdict == .inTune ? "█" : place % 2 == 0 ? "▀" : "▄"
        canvas.fill(hand, row: row(place), columns: wide, ink: ink)
        if abs(reading.cents) > 50 {
            let arrow: Unicode.Scalar = canvas.unicode ? (reading.cents < 0 ? "▼" : "▲") : reading.cents < 0 ? "v" : "^"
            canvas.put(arrow, row: row(place), column: centre, ink: ink)
        }
    }
}

/// Where a string is drawn.
private struct CellFrame {
    let column: Int, row: Int
    let columns: Int, rows: Int
    /// The length of the longest name on the board, so that all names have one size.
    let longestName: Int

    /// Two where `not heard` needs them, and none where there is hardly room for the needle.
    var wordRows: Int { rows < 4 ? 0 : columns - 1 < 9 && rows >= 9 ? 2 : 1 }
}
