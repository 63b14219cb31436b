internal import Music

/// The tuner's full display as a picture: the note a hand high, a needle, a strobe, the trail of the last ten seconds.
///
/// Everything is a function of the model and the size; nothing depends on the terminal.
public struct TunerScreen: Sendable {
    private let model: TunerModel
    private var canvas: Canvas

    /// Fewer rows than this and the one-line display is the better one.
    public static let fewestRows = 8

    /// The picture of a model.
    ///
    /// - Parameters:
    ///   - columns: 40 to 250 look as they should; others are drawn as far as they go.
    ///   - rows: 8 or more.
    ///   - unicode: whether the terminal shows more than ASCII.
    public static func draw(_ model: TunerModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        var screen = TunerScreen(
            model: model, canvas: Canvas(columns: columns, rows: rows, unicode: unicode))
        screen.draw()
        return screen.canvas
    }

    private var middle: Int { canvas.columns / 2 }

    private mutating func draw() {
        let rows = canvas.rows
        canvas.write(fitted(model.title, canvas.columns - 2), row: 0, column: 1, ink: .dim)
        if model.showsHelp {
            drawHelp()
            return drawFooter(row: rows - 1)
        }
        // From below upwards: keys, level, then the view's own room; the note takes what is left.
        let hasStrings = model.finder.strings != nil && rows >= 12
        var bottom = rows - 2
        drawFooter(row: rows - 1)
        drawLevel(row: bottom)
        bottom -= 1
        if hasStrings {
            drawStrings(row: bottom)
            bottom -= 1
        }
        let free = bottom - 1
        // The trail (or strobe) gets a third of the room in the needle's view and more than half in its own.
        let share = model.view == .needle ? free / 4 : free / 2
        let lower = rows >= 14 ? max(2, share) : model.view == .needle ? 0 : max(1, share)
        let needleRows = model.view == .needle ? (free - lower >= 7 ? 3 : 2) : (free - lower >= 9 ? 2 : 0)
        let readout = canvas.columns >= 76 && free - lower - needleRows >= 11 ? 4 : 1
        if lower > 0 {
            let top = bottom - lower + 1
            if model.view == .strobe { drawStrobe(top: top, rows: lower) } else { drawTrail(top: top, rows: lower) }
            bottom -= lower
        }
        if needleRows > 0 {
            drawNeedle(top: bottom - needleRows + 1, rows: needleRows)
            bottom -= needleRows
        }
        if readout == 4 { drawBigReadout(top: bottom - 4) } else { drawReadout(row: bottom) }
        bottom -= readout == 4 ? 5 : 1
        drawNote(top: 1, rows: bottom)
    }

    // MARK: The note

    private mutating func drawNote(top: Int, rows: Int) {
        guard rows > 0 else { return }
        let label = model.pitch?.label ?? "-"
        let ink: Ink = model.isSounding ? model.ink : .dim
        // The room for the widest label of this naming, so that the size does not jump from note to note.
        let room = model.finder.hasKeys ? model.finder.naming.widestName + 1 : 3
        var scale = 0
        while BigText.rows(scale: scale + 1, unicode: canvas.unicode) <= rows,
            BigText.columns(max(room, label.count), scale: scale + 1) <= canvas.columns - 4, scale < 12
        {
            scale += 1
        }
        let concert = model.pitch?.concert.map { "concert " + $0 }
        guard scale > 0, BigText.canShow(label) else {
            let row = top + rows / 2
            let wide = concert.map { label + "   (" + $0 + ")" } ?? label
            return canvas.write(wide, row: row, centredAt: middle, ink: ink == .dim ? .dim : .bold)
        }
        let height = BigText.rows(scale: scale, unicode: canvas.unicode)
        let row = top + (rows - height) / 2
        let column = middle - BigText.columns(label.count, scale: scale) / 2
        BigText.draw(label, on: &canvas, row: row, column: column, scale: scale, ink: ink)
        if let concert { canvas.write(concert, row: row + height - 1, endingAt: canvas.columns - 1, ink: .dim) }
        drawArrows(row: row + height / 2, inner: BigText.columns(max(room, label.count), scale: scale) / 2)
    }

    /// Which way to turn the peg: an arrow from the side that the pitch has to leave.
    private mutating func drawArrows(row: Int, inner: Int) {
        guard model.isSounding, let word = model.word, word != "in tune" else { return }
        let count = min(3, max(0, (middle - inner - 2) / 2))
        guard count > 0 else { return }
        let (up, down) = canvas.unicode ? ("▶", "◀") : (">", "<")
        let text = String(repeating: word == "flat" ? up : down, count: count)
        if word == "flat" {
            canvas.write(text, row: row, endingAt: middle - inner - 1, ink: model.ink)
        } else {
            canvas.write(text, row: row, column: middle + inner + 2, ink: model.ink)
        }
    }

    // MARK: The numbers

    private var centsText: String {
        let far = abs(model.shownCents) >= 100
        return fixedPoint(model.shownCents, decimals: far ? 0 : 1, signed: true)
    }

    private var errorText: String? {
        guard model.shownError > 0 else { return nil }
        let decimals = model.shownError < 0.095 ? 2 : 1
        let sign = canvas.unicode ? "±" : "+-"
        return sign + (decimals == 2 ? "" : " ")
            + fixedPoint(max(0.01, min(99.9, model.shownError)), decimals: decimals)
    }

    private mutating func drawReadout(row: Int) {
        guard model.pitch != nil, let word = model.word else {
            return canvas.write("play a note", row: row, centredAt: middle, ink: .dim)
        }
        let cents = centsText + " c" + (errorText.map { " " + $0 } ?? "")
        let frequency = fixedPoint(model.shownFrequency.value, decimals: 2) + " Hz"
        let text = canvas.columns >= 60 ? "\(word)     \(cents)     \(frequency)" : "\(word)  \(cents)  \(frequency)"
        canvas.write(text, row: row, centredAt: middle, ink: model.isSounding ? model.ink : .dim)
    }

    private mutating func drawBigReadout(top: Int) {
        guard model.pitch != nil, let word = model.word else {
            return canvas.write("play a note", row: top + 2, centredAt: middle, ink: .dim)
        }
        let ink = model.isSounding ? model.ink : .dim
        let half = canvas.unicode ? 1 : 0
        guard half == 1 else { return drawReadout(row: top + 2) }
        let left = max(1, middle - 38)
        BigText.draw(word, on: &canvas, row: top, column: left, scale: 1, ink: ink)
        let cents = centsText
        let column = middle + 22 - BigText.columns(cents.count, scale: 1)
        BigText.draw(cents, on: &canvas, row: top, column: column, scale: 1, ink: ink)
        let side = middle + 24
        canvas.write("cents " + (errorText ?? ""), row: top + 1, column: side, ink: ink == .dim ? .dim : .plain)
        canvas.write(
            fixedPoint(model.shownFrequency.value, decimals: 2) + " Hz", row: top + 3, column: side,
            ink: ink == .dim ? .dim : .plain)
    }

    // MARK: The needle

    private func column(ofCents cents: Double) -> Int {
        let half = min(100, (canvas.columns - 4) / 2)
        return middle + Int((CentsScale.place(of: cents) * Double(half)).rounded())
    }

    private mutating func drawNeedle(top: Int, rows: Int) {
        let scaleRow = top + (rows == 3 ? 1 : 0)
        let (first, last) = (column(ofCents: -50), column(ofCents: 50))
        for column in first...last { canvas.put(canvas.unicode ? "─" : "-", row: scaleRow, column: column, ink: .dim) }
        var free = -1
        for mark in CentsScale.marks {
            let place = column(ofCents: mark)
            canvas.put(mark == 0 ? "+" : "|", row: scaleRow, column: place, ink: .dim)
            if canvas.unicode { canvas.put(mark == 0 ? "┼" : "┴", row: scaleRow, column: place, ink: .dim) }
            let text = mark > 0 ? "+\(Int(mark))" : "\(Int(mark))"
            let start = min(place - text.count / 2, canvas.columns - text.count)
            // The numbers in the middle matter most, but the first that find room are drawn: they lie far enough apart.
            guard start > free else { continue }
            canvas.write(text, row: scaleRow + 1, column: start, ink: .dim)
            free = start + text.count
        }
        guard let cents = model.needleCents else { return }
        let place = column(ofCents: cents)
        let ink = model.isSounding ? model.ink : Ink.dim
        let hand: Unicode.Scalar = canvas.unicode ? "█" : "#"
        for row in top...scaleRow {
            for column in place - 1...place + 1 { canvas.put(hand, row: row, column: column, ink: ink) }
        }
        if abs(cents) > 50 {
            let arrow = canvas.unicode ? (cents < 0 ? "◀" : "▶") : (cents < 0 ? "<" : ">")
            canvas.write(arrow, row: scaleRow, column: cents < 0 ? place - 2 : place + 2, ink: ink)
        }
    }

    // MARK: The strobe

    private mutating func drawStrobe(top: Int, rows: Int) {
        let shades: [Unicode.Scalar] = canvas.unicode ? [" ", "░", "▒", "▓", "█"] : [" ", ".", "+", "#", "@"]
        let ink = model.isSounding ? model.ink : Ink.dim
        for row in 0..<rows {
            // Three bands: the note, its octave, the octave above; each twice as fine and twice as quick to drift.
            let band = Double(1 << min(2, row * 3 / max(1, rows)))
            let turns = model.strobeTurns * band
            let period = Double(canvas.columns) / 4 / band
            for column in 0..<canvas.columns {
                // Sharp runs to the right.
                let phase = Double(column) / period - turns
                let light = triangle(phase)
                let index = model.pitch == nil ? 1 : Int(light * 4.999)
                canvas.put(shades[index], row: top + row, column: column, ink: ink)
            }
        }
    }

    /// 0 to 1 and back within each unit.
    private func triangle(_ phase: Double) -> Double {
        let part = phase - phase.rounded(.down)
        return 1 - abs(2 * part - 1)
    }

    // MARK: The trail

    private mutating func drawTrail(top: Int, rows: Int) {
        let lines = canvas.unicode ? 2 * rows : rows
        func line(_ cents: Double) -> Int {
            let place = (1 - CentsScale.place(of: cents)) / 2 * Double(lines - 1)
            return max(0, min(lines - 1, Int(place.rounded())))
        }
        let centre = line(0) / (canvas.unicode ? 2 : 1)
        let zero: Unicode.Scalar = canvas.unicode ? "─" : "-"
        for column in 0..<canvas.columns { canvas.put(zero, row: top + centre, column: column, ink: .dim) }
        // Each column shows the middle of what fell into it.
        var sums = [(total: Double, count: Int)](repeating: (0, 0), count: canvas.columns)
        let start = model.seconds - TunerModel.trailSeconds
        for point in model.trail {
            let place = Int((point.seconds - start) / TunerModel.trailSeconds * Double(canvas.columns))
            guard place >= 0, place <= canvas.columns else { continue }
            let column = min(place, canvas.columns - 1)
            sums[column] = (sums[column].total + point.deviation, sums[column].count + 1)
        }
        for (column, sum) in sums.enumerated() where sum.count > 0 {
            let cents = sum.total / Double(sum.count)
            let place = line(cents)
            let ink: Ink = abs(cents) <= 2 ? .inTune : abs(cents) < 15 ? .near : .off
            if canvas.unicode {
                canvas.put(place % 2 == 0 ? "▀" : "▄", row: top + place / 2, column: column, ink: ink)
            } else {
                canvas.put("*", row: top + place, column: column, ink: ink)
            }
        }
        if rows >= 4 {
            canvas.write("sharp", row: top, column: 0, ink: .dim)
            canvas.write("flat", row: top + rows - 1, column: 0, ink: .dim)
        }
    }

    // MARK: Below

    private mutating func drawStrings(row: Int) {
        guard let strings = model.finder.strings else { return }
        let notes = strings.strings
        let cells = notes.enumerated().map { index, note -> (text: String, isCurrent: Bool) in
            let name = model.finder.naming.name(of: model.finder.transposition.written(concert: note))
            let done = model.doneStrings.contains(index) ? (canvas.unicode ? "✓" : "*") : " "
            let lock = model.finder.lockedString == index ? "!" : ""
            let number = strings.courseNumber(ofString: index)
            return ("\(number):\(lock)\(name)\(done)", model.pitch?.string == index)
        }
        let whole = cells.reduce(0) { $0 + displayWidth(of: $1.text) + 1 } - 1
        // A harp has more strings than a line has room for: keep the current one in sight.
        var column = max(1, middle - whole / 2)
        if whole > canvas.columns - 2, let current = cells.firstIndex(where: { $0.isCurrent }) {
            let before = cells[..<current].reduce(0) { $0 + displayWidth(of: $1.text) + 1 }
            column = min(1, middle - before)
        }
        for cell in cells {
            let isDone = cell.text.hasSuffix("✓") || cell.text.hasSuffix("*")
            let ink: Ink = cell.isCurrent ? .lit : isDone ? .inTune : .dim
            column = canvas.write(cell.text, row: row, column: column, ink: ink) + 1
        }
    }

    private mutating func drawLevel(row: Int) {
        let value = model.level.value
        let text = (value.isFinite ? fixedPoint(value, decimals: 0) : "-inf") + " dB"
        canvas.write(text, row: row, endingAt: canvas.columns - 1, ink: .dim)
        canvas.write("level", row: row, column: 1, ink: .dim)
        let (first, last) = (7, canvas.columns - 9)
        guard last > first else { return }
        // 70 dB of level: from the noise of a quiet room to full scale.
        let share = value.isFinite ? max(0, min(1, (value + 70) / 70)) : 0
        let count = Int((share * Double(last - first)).rounded())
        for column in first..<last {
            let isOn = column - first < count
            let mark: Unicode.Scalar = canvas.unicode ? (isOn ? "━" : "╌") : (isOn ? "=" : ".")
            // The last 3 dB are too loud for a sound card.
            canvas.put(mark, row: row, column: column, ink: isOn ? (value > -3 ? .off : .plain) : .dim)
        }
    }

    private mutating func drawFooter(row: Int) {
        if let message = model.currentMessage {
            canvas.write(fitted(message, canvas.columns - 2), row: row, column: 1, ink: .lit)
            return
        }
        let hints = [
            "q quit", "space hold", "s \(model.view.rawValue)", "a/A A4", "n names", "i instrument", "t tone", "? help",
        ]
        var text = hints.joined(separator: "   ")
        if text.count > canvas.columns - 2 { text = "q quit  space hold  s view  ? help" }
        canvas.write(fitted(text, canvas.columns - 2), row: row, column: 1, ink: .dim)
    }

    private mutating func drawHelp() {
        let lines = [
            "q       quit", "space   hold the display, go on", "s       needle, strobe, trail",
            "a  A    A4 down or up by 1 Hz", "n       next way to name notes", "i       next instrument",
            "t       sound the note, be quiet", "1-9     this string only; 0 all strings",
            "?       these keys, away again",
        ]
        let top = max(1, (canvas.rows - lines.count) / 2)
        let column = max(1, middle - 18)
        for (index, line) in lines.enumerated() where top + index < canvas.rows - 1 {
            canvas.write(line, row: top + index, column: column)
        }
    }

    /// `text` cut to so many columns.
    private func fitted(_ text: String, _ columns: Int) -> String {
        var fitted = text
        while displayWidth(of: fitted) > max(0, columns) { fitted.removeLast() }
        return fitted
    }
}
