internal import Glibc

/// The alternate screen of a terminal. When it ends, the terminal shows its previous content again.
///
/// A frame is one write of what changed, as a synchronized update (DEC private mode 2026), so that nothing flickers. A frame
/// without changes writes nothing.
package struct Screen: ~Copyable {
    private var isEntered = false
    /// Whether the terminal translated line feeds before.
    private var translatedLineFeeds = false
    /// What it shows, if that is known.
    private var shown: Canvas?
    /// The picture before that, whose memory the next one reuses.
    private var spare: Canvas?
    private var frame: TerminalFrame

    /// A screen that has not been entered yet.
    ///
    /// - Parameter colored: whether to use colors.
    package init(colored: Bool) { frame = TerminalFrame(colored: colored) }

    /// An empty picture to draw the next frame on.
    package mutating func blank(columns: Int, rows: Int, unicode: Bool) -> Canvas {
        guard var canvas = spare.take(), canvas.columns == columns, canvas.rows == rows, canvas.unicode == unicode
        else { return Canvas(columns: columns, rows: rows, unicode: unicode) }
        canvas.wipe()
        return canvas
    }

    /// Draws a picture, and enters the alternate screen for the first one.
    package mutating func draw(_ canvas: consuming Canvas, on output: inout StandardOutput) throws(OutputClosed) {
        if !isEntered { translatedLineFeeds = output.translateLineFeeds(false) }
        let bytes = update(to: canvas)
        guard !bytes.isEmpty else { return }
        try output.write(bytes.span.bytes)
    }

    /// Leaves the alternate screen and shows the cursor.
    package mutating func end(on output: inout StandardOutput) throws(OutputClosed) {
        guard isEntered else { return }
        if translatedLineFeeds { output.translateLineFeeds(true) }
        try output.print(leave())
        try output.flush()
    }

    /// The text that leaves the alternate screen; empty if it was not entered.
    ///
    /// It erases the picture first: a console without an alternate screen would keep it, and tmux may keep parts of it after
    /// a change of size.
    package mutating func leave() -> String {
        guard isEntered else { return "" }
        (isEntered, shown) = (false, nil)
        return "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?1049l\u{1B}[?25h"
    }

    /// Makes the next frame draw everything, after something else has written on the screen.
    package mutating func invalidate() { shown = nil }

    /// The bytes that turn what is shown into `canvas`; none when they are the same.
    package mutating func update(to canvas: consuming Canvas) -> [UInt8] {
        let before = shown.take()
        if let before, before.columns == canvas.columns, before.rows == canvas.rows {
            frame.begin()
            frame.append(canvas, over: before)
            spare = before
        } else {
            // The size is new or the content unknown: start from an empty screen.
            frame.begin(after: isEntered ? "" : "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
            frame.append("\u{1B}[0m\u{1B}[2J")
            frame.append(canvas, over: Canvas(columns: canvas.columns, rows: canvas.rows, unicode: canvas.unicode))
            isEntered = true
        }
        frame.end()
        shown = canvas
        return frame.bytes
    }
}
