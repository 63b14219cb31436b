import Intonation
import TerminalUI

/// Where readings go: one line redrawn on a terminal, or a line each in a pipe.
struct TunerOutput: ~Copyable {
    private var output = StandardOutput()
    private var live = LiveLine()
    private var line: TunerLine
    private let isTerminal: Bool
    private let format: ReadingFormat
    /// On a terminal: whether there is something new to draw.
    private var hasNews = false
    /// What goes before the first line.
    private var header: String?

    /// An output for `format`; JSON is written line by line on a terminal too.
    init(format: ReadingFormat, unicode: Bool) {
        self.format = format
        line = TunerLine(unicode: unicode)
        isTerminal = output.isTerminal && format == .plain
        if let header = format.header { self.header = header + "\n" }
    }

    /// Whether one line is redrawn in place.
    var redraws: Bool { isTerminal }

    /// Takes a reading.
    mutating func show(_ reading: TunedNote, file: String?) throws(OutputClosed) {
        if isTerminal {
            line.hear(reading)
            hasNews = true
        } else {
            if let header = header.take() { try output.print(header) }
            try output.print(format.line(reading, file: file) + "\n")
        }
    }

    /// Brings what was shown to the screen or into the pipe.
    mutating func update() throws(OutputClosed) {
        if isTerminal {
            guard hasNews else { return }
            hasNews = false
            try live.draw(line.text(columns: output.columns - 1), on: &output)
        } else {
            try output.flush()
        }
    }

    /// Writes a line of its own.
    mutating func print(_ text: String) throws(OutputClosed) {
        try live.erase(on: &output)
        try output.print(text + "\n")
    }

    /// Shows a notice in the place of the reading until the next one comes.
    mutating func notice(_ text: String) throws(OutputClosed) {
        if isTerminal { try live.draw(text, on: &output) }
    }

    /// Puts the terminal right; the last line stays.
    mutating func end() throws(OutputClosed) {
        try live.end(on: &output)
        try output.flush()
    }

    /// Puts the terminal right; the redrawn line goes.
    mutating func wipe() throws(OutputClosed) {
        hasNews = false
        try live.erase(on: &output)
        try output.flush()
    }
}
