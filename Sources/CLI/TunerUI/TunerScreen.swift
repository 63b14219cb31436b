internal import Intonation
internal import Music
package import TerminalUI

/// The tuner's full display: the note in large letters, a needle, a strobe, the trail of the last ten seconds.
///
/// It depends only on the model and the size, not on the terminal.
package struct TunerScreen: Sendable {
    let model: TunerModel
    var canvas: Canvas

    /// The picture of a model, drawn on an empty canvas. Designed for 40 to 250 columns and 8 rows or more.
    package static func draw(_ model: TunerModel, on canvas: consuming Canvas) -> Canvas {
        var screen = TunerScreen(model: model, canvas: canvas)
        screen.draw()
        return screen.canvas
    }

    var middle: Int { canvas.columns / 2 }

    private mutating func draw() {
        let rows = canvas.rows
        let room = canvas.columns - 2
        canvas.write(fitted(widest(of: model.titles, columns: room), room), row: 0, column: 1, ink: .dim)
        if model.showsHelp {
            canvas.write(model.keys)
            return drawFooter(row: rows - 1)
        }
        if let menu = model.menu {
            canvas.write(menu, top: 1, rows: rows - 4)
            drawReadout(row: rows - 2)
            if model.currentMessage != nil { return drawFooter(row: rows - 1) }
            return canvas.writeFooter(Self.menuHints, row: rows - 1)
        }
        if model.showsBoard {
            drawBoard(top: 1, bottom: rows - 3)
            drawLevel(row: rows - 2)
            return drawFooter(row: rows - 1)
        }
        // From the bottom up: keys, level, the view; the note gets the rest.
        let hasStrings = model.finder.strings != nil && rows >= 9
        var bottom = rows - 2
        drawFooter(row: rows - 1)
        drawLevel(row: bottom)
        bottom -= 1
        if hasStrings {
            drawStrings(row: bottom)
            bottom -= 1
        }
        let free = bottom - 1
        // The trail gets a quarter of the rows in the needle's view; trail and strobe get half in their own.
        let share = model.view == .needle ? free / 4 : free / 2
        let lower = rows >= 14 ? max(2, share) : model.view == .needle ? 0 : max(1, share)
        let needleRows = model.view == .needle ? (free - lower >= 7 ? 3 : 2) : (free - lower >= 9 ? 2 : 0)
        let readout = canvas.columns >= 80 && free - lower - needleRows >= 11 ? 4 : 1
        if lower > 0 {
            let top = bottom - lower + 1
            switch model.view {
            case .strobe: drawStrobe(top: top, rows: lower)
            case .notes: drawNoteTrail(top: top, rows: lower)
            case .needle, .trail: drawTrail(top: top, rows: lower)
            }
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
}
