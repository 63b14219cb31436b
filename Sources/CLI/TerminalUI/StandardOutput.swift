internal import Glibc
internal import Platform
internal import Music

/// Standard output cannot be written any more.
package struct OutputClosed: ExplainedError {
    /// The system's reason, when data was lost: the disk is full, the descriptor is closed. `nil` when the reader has gone, as
    /// in `tuner take.flac | head -1`: that is no failure, the program just ends.
    package let reason: String?

    package init(reason: String? = nil) { self.reason = reason }

    /// The end of the output for the error number of a `write`.
    package init(errno number: Int32) { reason = number == EPIPE ? nil : systemReason(number) }

    package var problem: String { "cannot write to standard output (\(reason ?? "its reader has gone"))" }
    package var remedy: String { "make room, or write somewhere else" }
}

/// Standard output, gathered into large writes; one owner.
///
/// The process must have called `ignoreClosedPipes()` first, so that a closed pipe is an error and not a signal.
package struct StandardOutput: ~Copyable {
    private var pending: [UInt8] = []
    private let descriptor: Int32
    /// 32 KiB: half of a Linux pipe, so that writer and reader overlap.
    private static let flushAt = 32_768

    /// Output to `descriptor`: 1 is standard output.
    package init(descriptor: Int32 = 1) { self.descriptor = descriptor }

    /// Whether this is a terminal that can redraw a line (`TERM` is not `dumb`).
    package var isTerminal: Bool {
        guard isatty(descriptor) == 1 else { return false }
        return getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }

    /// Whether another process owns this terminal at the moment: the shell, after `bg`. Then nothing may be drawn.
    package var isInBackground: Bool {
        let owner = tcgetpgrp(descriptor)
        return owner >= 0 && owner != getpgrp()
    }

    package var columns: Int { size.columns }

    /// The terminal's size in columns and rows, of which at most `mostColumns` and `mostRows` are used; 80 x 24 where it is unknown.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (
            size.ws_col > 0 ? min(Int(size.ws_col), Self.mostColumns) : 80,
            size.ws_row > 0 ? min(Int(size.ws_row), Self.mostRows) : 24
        )
    }

    /// The largest screen that is drawn: more than the smallest letters, 4 by 6 pixels, make of a screen of 8K. Any program can tell
    /// a terminal to be 65,535 by 65,535, of which the letters alone would take 17 GB.
    package static let mostColumns = 2_000, mostRows = 1_000

    /// Lets the terminal turn each line feed into a new line, or not.
    ///
    /// A whole screen is drawn without line feeds. Looking for them in every byte is half of what a large frame costs the
    /// kernel.
    ///
    /// - Returns: whether it did so until now.
    @discardableResult
    func translateLineFeeds(_ isOn: Bool) -> Bool {
        var settings = termios()
        guard !isInBackground, tcgetattr(descriptor, &settings) == 0 else { return false }
        let flag = tcflag_t(OPOST)
        let wasOn = settings.c_oflag & flag != 0
        settings.c_oflag = isOn ? settings.c_oflag | flag : settings.c_oflag & ~flag
        _ = tcsetattr(descriptor, TCSANOW, &settings)
        return wasOn
    }

    /// Writes lines of text, and flushes them.
    package mutating func print(lines: [String]) throws(OutputClosed) {
        for line in lines { try print(line + "\n") }
        try flush()
    }

    /// Adds text, which is written out when there is enough of it.
    package mutating func print(_ text: String) throws(OutputClosed) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.flushAt { try flush() }
    }

    /// Writes bytes out at once, after the text that waits.
    package mutating func write(_ bytes: borrowing RawSpan) throws(OutputClosed) {
        try flush()
        try send(bytes)
    }

    /// Writes out the text that waits.
    /// - Throws: `OutputClosed` when nothing can be written any more; the text is dropped.
    package mutating func flush() throws(OutputClosed) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try send(pending.span.bytes)
    }

    private func send(_ bytes: borrowing RawSpan) throws(OutputClosed) {
        var start = 0
        while start < bytes.byteCount {
            let written = bytes.extracting(droppingFirst: start).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written > 0 {
                start += written
            } else if written < 0, errno == EAGAIN {
                waitForRoom(descriptor)
            } else if written == 0 || errno != EINTR {
                throw OutputClosed(errno: errno)
            }
        }
    }

    /// From now on a write to a closed pipe, or past the largest file that is allowed (`ulimit -f`), returns an error instead
    /// of ending the process.
    package static func ignoreClosedPipes() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }
}

/// Writes one line on standard error: what is wrong and what to do next.
///
/// Messages repeat what the user wrote, such as the name of a file. Control characters in it, which could end the line or
/// command the terminal, become question marks.
package func complain(_ message: String) { complain(RunningCommand.name, message) }

/// The same for a command that is named: before it runs, and in code that no other command shares.
package func complain(_ program: String, _ message: String) {
    let line = Array("\(program): \(message.legible)\n".utf8)
    line.withUnsafeBytes { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
