import Intonation
import TerminalUI
internal import TunerUI

/// The output of readings: one line that is redrawn on a terminal, or one line each in a pipe.
struct TunerOutput: ~Copyable {
    private var output = StandardOutput()
    private var live = LiveLine()
    private var line: TunerLine
    /// Whether one line is redrawn in place.
    let redraws: Bool
    private let format: ReadingFormat
    private let strumFormat: StrumFormat
    /// Whether there is something new to draw on a terminal.
    private var hasNews = false
    private var header: String?

    /// An output in the format that the command asks for. On a terminal, only `plain` redraws one line.
    ///
    /// - Parameter hasStrings: whether the player tunes the strings of an instrument.
    init(_ command: Listen, unicode: Bool, hasStrings: Bool) {
        format = command.readingFormat
        line = TunerLine(
            unicode: unicode, tolerance: command.tolerance, response: command.response, hasStrings: hasStrings)
        redraws = output.isTerminal && format == .plain
        strumFormat = command.strumFormat
        let first =
            command.strum ? strumFormat.header : command.summary ? command.noteFormat.header : format.header
        header = first.map { $0 + "\n" }
    }

    var isTerminal: Bool { output.isTerminal }

    /// Shows a reading.
    ///
    /// - Parameters:
    ///   - file: where it comes from; `nil` for a device.
    ///   - isOneOfSeveral: whether other files are read too.
    mutating func show(_ reading: TunedNote, file: String?, isOneOfSeveral: Bool = false) throws(OutputClosed) {
        if redraws {
            line.hear(reading)
            hasNews = true
        } else {
            if let header = header.take() { try output.print(header) }
            try output.print(format.line(reading, file: file, isOneOfSeveral: isOneOfSeveral) + "\n")
        }
    }

    /// Prints the strings of a strum.
    ///
    /// - Parameter number: of the strum, from 1.
    mutating func show(
        _ strum: TunedStrum, number: Int, file: String?, isOneOfSeveral: Bool = false
    ) throws(OutputClosed) {
        for line in strumFormat.lines(strum, number: number, file: file, isOneOfSeveral: isOneOfSeveral) {
            try print(line)
        }
    }

    mutating func update() throws(OutputClosed) {
        if redraws {
            guard hasNews else { return }
            hasNews = false
            try live.draw(line.text(columns: output.columns - 1), on: &output)
        } else {
            try output.flush()
        }
    }

    mutating func print(_ text: String) throws(OutputClosed) {
        try live.erase(on: &output)
        if let header = header.take() { try output.print(header) }
        try output.print(text + "\n")
    }

    /// Restores the terminal and leaves the last line.
    mutating func end() throws(OutputClosed) {
        try live.end(on: &output)
        try output.flush()
    }

    /// Restores the terminal and erases the line.
    mutating func wipe() throws(OutputClosed) {
        hasNews = false
        try live.erase(on: &output)
        try output.flush()
    }
}
