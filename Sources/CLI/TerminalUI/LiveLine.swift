/// One line of a terminal that is redrawn in place.
///
/// The cursor is hidden until `end`. The line is written only if it has changed.
package struct LiveLine: ~Copyable {
    private var shown: String?

    package init() {}

    /// Draws `text`, cut to the width of the terminal, over what was there.
    package mutating func draw(_ text: String, on output: inout StandardOutput) throws(OutputClosed) {
        // One column stays free: some terminals wrap after a character in the last column.
        let line = String(text.prefix(max(1, output.columns - 1)))
        guard line != shown, !output.isInBackground else { return }
        try output.print((shown == nil ? "\u{1B}[?25l\r" : "\r") + line + "\u{1B}[K")
        try output.flush()
        shown = line
    }

    /// Leaves the line, moves to the next one and shows the cursor.
    package mutating func end(on output: inout StandardOutput) throws(OutputClosed) {
        try leave("\u{1B}[?25h\n", on: &output)
    }

    /// Erases the line and shows the cursor at its start.
    package mutating func erase(on output: inout StandardOutput) throws(OutputClosed) {
        try leave("\r\u{1B}[K\u{1B}[?25h", on: &output)
    }

    private mutating func leave(_ ending: String, on output: inout StandardOutput) throws(OutputClosed) {
        guard shown.take() != nil else { return }
        try output.print(ending)
        try output.flush()
    }
}
