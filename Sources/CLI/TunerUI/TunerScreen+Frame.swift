internal import Intonation
internal import Music
internal import TerminalUI

/// The bottom rows: strings, level, keys.
extension TunerScreen {
    mutating func drawStrings(row: Int) {
        guard let strings = model.finder.strings else { return }
        let notes = strings.strings
        let cells = notes.indices.filter { !strings.isDouble($0) }.map { index -> (text: String, isCurrent: Bool) in
            let note = notes[index]
            let name = model.finder.naming.name(of: model.finder.transposition.written(concert: note))
            let done = model.doneStrings.contains(index) ? (canvas.unicode ? "✓" : "*") : " "
            let lock = model.finder.lockedString == index ? "!" : ""
            let number = strings.courseNumber(ofString: index)
            return ("\(number):\(lock)\(name)\(done)", model.pitch?.string == index)
        }
        let whole = cells.reduce(0) { $0 + displayWidth(of: $1.text) + 1 } - 1
        // A harp has more strings than fit: keep the current one visible.
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

    mutating func drawLevel(row: Int) {
        let value = model.level.value
        // Digital silence has no level.
        let text = (value.isFinite ? fixedPoint(value, decimals: 0) : "--") + " dB"
        canvas.write(text, row: row, endingAt: canvas.columns - 1, ink: .dim)
        canvas.write("level", row: row, column: 1, ink: .dim)
        let (first, last) = (7, canvas.columns - 9)
        guard last > first else { return }
        // 70 dB: from the noise of a quiet room to full scale. In the last 3 dB the sound card may clip.
        let share = value.isFinite ? (value + 70) / 70 : 0
        canvas.drawBar(share, row: row, columns: first..<last, ink: value > -3 ? .off : .plain)
    }

    mutating func drawFooter(row: Int) {
        if let message = model.currentMessage { return canvas.writeFooter([message], row: row, ink: .lit) }
        canvas.writeFooter(model.showsBoard ? Self.boardHints : Self.hints[model.view] ?? [], row: row)
    }

    /// The keys in each view, from the longest text to the shortest.
    private static let hints = Dictionary(
        uniqueKeysWithValues: TunerModel.View.allCases.map { view in
            let all = [
                "q quit", "space hold", "s \(view.rawValue)", "m menu", "a/A A4", "n names", "i instrument", "t tone",
                "? help",
            ]
            let most = all.filter { $0 != "n names" }
            let short = "q quit  space hold  s view  ? help"
            return (
                view, [all.joined(separator: "   "), all.joined(separator: "  "), most.joined(separator: "  "), short]
            )
        })

    private static let boardHints = [
        "q quit   space hold   p strums or single notes   m menu   a/A A4   n names   i instrument   ? help",
        "q quit  space hold  p strums  m menu  a/A A4  n names  i instrument  ? help",
        "q quit  space hold  p strums  ? help",
    ]

    static let menuHints = [
        "up and down choose   left and right change   m closes the menu", "arrows choose and change  m closes",
    ]
}
