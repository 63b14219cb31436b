internal import Music

/// The full display of the metronome: the beats of the bar as columns, whose height is their level.
///
/// The picture is a function of the model and the size. The current beat is filled and has brackets around its number;
/// muted beats have dots and parentheses, so that nothing depends on colour.
package struct MetronomeScreen: Sendable {
    let model: MetronomeModel
    var canvas: Canvas

    /// The picture of a model, drawn on an empty canvas. Designed for 40 to 250 columns and 8 rows or more.
    package static func draw(_ model: MetronomeModel, on canvas: consuming Canvas) -> Canvas {
        if let companion = model.companion { return drawAccompanied(model, companion, on: canvas) }
        var screen = MetronomeScreen(model: model, canvas: canvas)
        screen.draw()
        return screen.canvas
    }

    var middle: Int { canvas.columns / 2 }

    mutating func draw() {
        let rows = canvas.rows
        canvas.write(fitted(model.title, canvas.columns - 2), row: 0, column: 1, ink: .dim)
        drawFooter(row: rows - 1)
        if model.showsHelp { return canvas.write(model.keys) }
        drawStatus(row: rows - 2)
        drawPlace(row: rows - 3)
        let free = rows - 4
        if model.isBig {
            drawNumber(top: 1, rows: free - 2)
            drawMarks(row: free - 1)
            drawReadout(row: free)
        } else {
            let readout = free >= 12 && canvas.unicode && canvas.columns >= 66 ? 6 : 1
            drawColumns(top: 1, rows: free - readout)
            if readout > 1 { drawBigReadout(top: free - readout + 2) } else { drawReadout(row: free) }
        }
        if model.isFlashing { canvas.color(.lit) }
    }
}
