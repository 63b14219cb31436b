internal import Glibc

/// The whole terminal, drawn on the alternate screen: what was there before comes back.
///
/// A frame is one write of what changed, between the marks of a synchronised update (DEC private mode 2026), so that
/// nothing flickers; a frame in which nothing changed writes nothing.
public struct Screen: ~Copyable {
    private var shown: Canvas?
    private let colored: Bool
    /// How many frames and bytes were written.
    public private(set) var frameCount = 0
    /// How many bytes were written.
    public private(set) var byteCount = 0

    /// A screen that was not entered yet.
    ///
    /// - Parameter colored: whether colours may be used (`NO_COLOR` says no).
    public init(colored: Bool) { self.colored = colored }

    /// Draws a picture; enters the alternate screen at the first.
    public mutating func draw(_ canvas: Canvas, on output: inout StandardOutput) throws(OutputClosed) {
        let frame = update(to: canvas)
        guard !frame.isEmpty else { return }
        frameCount += 1
        byteCount += frame.utf8.count
        try output.print(frame)
        try output.flush()
    }

    /// Leaves the alternate screen and shows the cursor.
    public mutating func end(on output: inout StandardOutput) throws(OutputClosed) {
        guard shown != nil else { return }
        try output.print(leave())
        try output.flush()
    }

    /// The text that leaves the alternate screen; empty where it was not entered.
    ///
    /// The picture is wiped first: on a console that has no second screen the shell would go on in the middle of it, and
    /// tmux may leave parts of it behind after a change of size.
    public mutating func leave() -> String {
        guard shown != nil else { return "" }
        shown = nil
        return "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?1049l\u{1B}[?25h"
    }

    /// Forgets what is on the screen, as when something else wrote on it: the next frame is drawn whole.
    public mutating func invalidate() {
        if shown != nil { shown = Canvas(columns: 1, rows: 1, unicode: false) }
    }

    /// The text that turns what is shown into `canvas`; empty when they are the same.
    public mutating func update(to canvas: Canvas) -> String {
        guard canvas != shown else { return "" }
        var text = shown == nil ? "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l" : ""
        text += "\u{1B}[?2026h"
        let old: Canvas
        if let shown, shown.columns == canvas.columns, shown.rows == canvas.rows {
            old = shown
        } else {
            // A new size: begin from an empty screen.
            text += "\u{1B}[0m\u{1B}[2J"
            old = Canvas(columns: canvas.columns, rows: canvas.rows, unicode: canvas.unicode)
        }
        var ink: Ink?
        for row in 0..<canvas.rows {
            var column = 0
            var cursor = -1
            while column < canvas.columns {
                let index = row * canvas.columns + column
                let cell = canvas.cells[index]
                if cell == old.cells[index] || cell.isCovered && cursor != column {
                    column += 1
                    continue
                }
                if cursor != column { text += "\u{1B}[\(row + 1);\(column + 1)H" }
                if ink != cell.ink {
                    text += "\u{1B}[\(cell.ink.parameters(colored: colored))m"
                    ink = cell.ink
                }
                text.unicodeScalars.append(cell.scalar)
                let isWide = column + 1 < canvas.columns && canvas.cells[index + 1].isCovered
                column += isWide ? 2 : 1
                cursor = column
            }
        }
        shown = canvas
        return text + "\u{1B}[0m\u{1B}[?2026l"
    }
}
