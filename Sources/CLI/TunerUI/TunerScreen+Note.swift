internal import Intonation
internal import Music
internal import TerminalUI

/// The note, as large as possible, and arrows that tell which way to tune.
extension TunerScreen {
    mutating func drawNote(top: Int, rows: Int) {
        guard rows > 0 else { return }
        let label = model.pitch?.label ?? "-"
        let ink = model.ink
        // The size is that of the widest label of this naming, so that it is the same for all notes.
        let room = model.finder.hasKeys ? longestName + 1 : 3
        let widest = max(room, label.count)
        let scale = BigText.scale(
            of: widest, rows: rows, columns: canvas.columns - 4, unicode: canvas.unicode, most: 12)
        let concert = model.pitch?.concert.map { "concert " + $0 }
        guard scale > 0, BigText.canShow(label) else {
            let row = top + rows / 2
            let wide = concert.map { label + "   (" + $0 + ")" } ?? label
            return canvas.write(wide, row: row, centredAt: middle, ink: ink == .dim ? .dim : .bold)
        }
        let height = BigText.rows(scale: scale, unicode: canvas.unicode)
        let row = top + (rows - height) / 2
        let column = middle - BigText.columns(label.count, scale: scale) / 2
        BigText.draw(label, on: &canvas, row: row, column: column, scale: scale, ink: ink, fading: model.fading)
        if let concert { canvas.write(concert, row: row + height - 1, endingAt: canvas.columns - 1, ink: .dim) }
        drawArrows(row: row + height / 2, inner: BigText.columns(widest, scale: scale) / 2)
    }

    /// The length of the longest of the twelve names.
    private var longestName: Int { (0..<12).map { model.finder.naming.name(ofPitchClass: $0).count }.max() ?? 1 }

    /// Arrows that point in the direction to tune.
    private mutating func drawArrows(row: Int, inner: Int) {
        guard model.pitch != nil, let verdict = model.verdict, verdict != .inTune else { return }
        // One arrow less at each stage of fading.
        let count = min(3 - model.fading.rawValue, max(0, (middle - inner - 2) / 2))
        guard count > 0 else { return }
        let (up, down) = canvas.unicode ? ("▶", "◀") : (">", "<")
        let text = String(repeating: verdict == .flat ? up : down, count: count)
        if verdict == .flat {
            canvas.write(text, row: row, endingAt: middle - inner - 1, ink: model.ink)
        } else {
            canvas.write(text, row: row, column: middle + inner + 2, ink: model.ink)
        }
    }
}
