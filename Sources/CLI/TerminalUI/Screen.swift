internal import Glibc

/// The whole terminal, drawn on the alternate screen: what was there before comes back.
///
/// A frame is one write of what changed, between the marks of a synchronised update (DEC private mode 2026), so that
/// nothing flickers; a frame in which nothing changed writes nothing.
public struct Screen: ~Copyable {
    private var isEntered = false
    /// Whether the terminal turned line feeds into new lines before it was entered.
    private var translatedLineFeeds = false
    /// What is on it, as far as that is known.
    private var shown: Canvas?
    /// The picture before that: the next one is drawn on its memory.
    private var spare: Canvas?
    private var frame: TerminalFrame
    /// How many frames and bytes were written.
    public private(set) var frameCount = 0
    /// How many bytes were written.
    public private(set) var byteCount = 0

    /// A screen that was not entered yet.
    ///
    /// - Parameter colored: whether colours may be used (`NO_COLOR` says no).
    public init(colored: Bool) { frame = TerminalFrame(colored: colored) }

    /// An empty picture to draw the next frame on.
    public mutating func blank(columns: Int, rows: Int, unicode: Bool) -> Canvas {
        guard var canvas = spare.take(), canvas.columns == columns, canvas.rows == rows, canvas.unicode == unicode
        else { return Canvas(columns: columns, rows: rows, unicode: unicode) }
        canvas.wipe()
        return canvas
    }

    /// Draws a picture; enters the alternate screen at the first.
    public mutating func draw(_ canvas: consuming Canvas, on output: inout StandardOutput) throws(OutputClosed) {
        if !isEntered { translatedLineFeeds = output.translateLineFeeds(false) }
        let bytes = update(to: canvas)
        guard !bytes.isEmpty else { return }
        frameCount += 1
        byteCount += bytes.count
        try output.write(bytes.span.bytes)
    }

    /// Leaves the alternate screen and shows the cursor.
    public mutating func end(on output: inout StandardOutput) throws(OutputClosed) {
        guard isEntered else { return }
        if translatedLineFeeds { output.translateLineFeeds(true) }
        try output.print(leave())
        try output.flush()
    }

    /// The text that leaves the alternate screen; empty where it was not entered.
    ///
    /// The picture is wiped first: on a console that has no second screen the shell would go on in the middle of it, and
    /// tmux may leave parts of it behind after a change of size.
    public mutating func leave() -> String {
        guard isEntered else { return "" }
        (isEntered, shown) = (false, nil)
        return "\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?1049l\u{1B}[?25h"
    }

    /// Forgets what is on the screen, as when something else wrote on it: the next frame is drawn whole.
    public mutating func invalidate() { shown = nil }

    /// The bytes that turn what is shown into `canvas`; none when they are the same.
    public mutating func update(to canvas: consuming Canvas) -> [UInt8] {
        let before = shown.take()
        if let before, before.columns == canvas.columns, before.rows == canvas.rows {
            frame.begin()
            frame.append(canvas, over: before)
            spare = before
        } else {
            // A new size, or nobody knows what is there: begin from an empty screen.
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
