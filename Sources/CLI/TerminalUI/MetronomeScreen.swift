internal import Music

/// The metronome's full display as a picture: the beats of the bar as columns, as high as they are loud.
///
/// Everything is a function of the model and the size; nothing depends on the terminal. Level is shown by height, the
/// beat that is heard by its filling and by brackets around its number, what is muted by dots and parentheses: none of
/// it needs colour.
public struct MetronomeScreen: Sendable {
    let model: MetronomeModel
    var canvas: Canvas

    /// Fewer rows than this and the one-line display is the better one.
    public static let fewestRows = 8

    /// The picture of a model.
    ///
    /// - Parameters:
    ///   - columns: 40 to 250 look as they should; others are drawn as far as they go.
    ///   - rows: 8 or more.
    ///   - unicode: whether the terminal shows more than ASCII.
    public static func draw(_ model: MetronomeModel, columns: Int, rows: Int, unicode: Bool) -> Canvas {
        draw(model, on: Canvas(columns: columns, rows: rows, unicode: unicode))
    }

    /// The same on an empty canvas, as a screen gives it.
    public static func draw(_ model: MetronomeModel, on canvas: consuming Canvas) -> Canvas {
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

    /// `text` cut to so many columns.
    func fitted(_ text: String, _ columns: Int) -> String {
        var fitted = text
        while displayWidth(of: fitted) > max(0, columns) { fitted.removeLast() }
        return fitted
    }
}
