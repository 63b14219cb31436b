/// A terminal that shows a picture, or one line where the picture does not fit.
package struct TerminalDisplay: ~Copyable {
    package var output = StandardOutput()
    private var screen = Screen(colored: terminalShowsColor())
    private var live = LiveLine()
    private let unicode: Bool
    private let prefersLine: Bool

    /// The fewest rows that a picture needs.
    private static let fewestRows = 8

    /// A display that has not drawn anything yet.
    ///
    /// - Parameters:
    ///   - unicode: whether the terminal shows more than ASCII.
    ///   - prefersLine: whether to show the line on a large terminal too.
    package init(unicode: Bool, prefersLine: Bool) { (self.unicode, self.prefersLine) = (unicode, prefersLine) }

    /// Draws what has changed; nothing while the process is in the background.
    ///
    /// - Parameters:
    ///   - picture: draws on an empty canvas.
    ///   - line: the line for a number of columns; `nil` leaves the one before.
    package mutating func draw(
        picture: (consuming Canvas) -> Canvas, line: (_ columns: Int) -> String?
    ) throws(OutputClosed) {
        guard !output.isInBackground else { return }
        let (columns, rows) = output.size
        guard prefersLine || rows < Self.fewestRows else {
            try live.erase(on: &output)
            let canvas = screen.blank(columns: columns, rows: rows, unicode: unicode)
            return try screen.draw(picture(canvas), on: &output)
        }
        try screen.end(on: &output)
        if let text = line(columns) { try live.draw(text, on: &output) }
    }

    /// Makes the next picture a whole one, after something else has written on the terminal.
    package mutating func invalidate() { screen.invalidate() }

    package mutating func end() throws(OutputClosed) {
        try screen.end(on: &output)
        try live.end(on: &output)
        try output.flush()
    }
}
