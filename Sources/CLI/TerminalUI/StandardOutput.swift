import Glibc

/// Standard output takes no more.
public struct OutputClosed: Error, Sendable {
    /// Why, when data was lost: the disk is full, the descriptor is closed. `nil` when the reader has simply gone, as in
    /// `tuner take.flac | head -1`: not a failure, the program just ends.
    public let reason: String?

    /// The end of the output.
    public init(reason: String? = nil) { self.reason = reason }

    /// The end of the output as `write` told it.
    public init(errno number: Int32) { reason = number == EPIPE ? nil : String(cString: strerror(number)).lowercased() }

    /// Says why on standard error, if there is anything to say; returns the exit status.
    public func explain(for program: String) -> Int32 {
        guard let reason else { return ExitStatus.ok }
        complain(program, "cannot write to standard output (\(reason)): make room, or write somewhere else")
        return ExitStatus.cannotWrite
    }
}

/// Standard output, gathered into large writes; one owner.
///
/// A closed pipe is an error value here and not a signal: the process must have called `ignoreClosedPipes()` first.
public struct StandardOutput: ~Copyable {
    private var pending: [UInt8] = []
    private let descriptor: Int32
    /// 32 KiB: half of a Linux pipe, so that writer and reader overlap.
    private static let flushAt = 32_768

    /// Output to `descriptor`: 1 is standard output.
    public init(descriptor: Int32 = 1) { self.descriptor = descriptor }

    /// Whether this is a terminal that can redraw a line (`TERM` is not `dumb`).
    public var isTerminal: Bool {
        guard isatty(descriptor) == 1 else { return false }
        return getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }

    /// Whether this is a terminal that is somebody else's at the moment: the shell's, after `bg`. Nothing is to be drawn.
    public var isInBackground: Bool {
        let owner = tcgetpgrp(descriptor)
        return owner >= 0 && owner != getpgrp()
    }

    /// The terminal's width in columns; 80 where nobody knows.
    public var columns: Int { size.columns }

    /// The terminal's size in columns and rows; 80 x 24 where nobody knows.
    public var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    /// Stops the terminal from turning each line feed into a new line, or lets it.
    ///
    /// A whole screen is drawn without line feeds, and the kernel looks at every byte for them: half of what a large frame
    /// costs it.
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

    /// Adds text; writes it out when enough has come together.
    public mutating func print(_ text: String) throws(OutputClosed) {
        pending.append(contentsOf: text.utf8)
        if pending.count >= Self.flushAt { try flush() }
    }

    /// Writes bytes out at once, after all that waits.
    public mutating func write(_ bytes: [UInt8]) throws(OutputClosed) {
        try flush()
        try send(bytes)
    }

    /// Writes out all that waits.
    /// - Throws: `OutputClosed` when nobody reads any more or nothing can be written; the waiting text is dropped.
    public mutating func flush() throws(OutputClosed) {
        guard !pending.isEmpty else { return }
        defer { pending.removeAll(keepingCapacity: true) }
        try send(pending)
    }

    private func send(_ bytes: [UInt8]) throws(OutputClosed) {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if written > 0 {
                start += written
            } else if written < 0, errno == EINTR {
                continue
            } else if written < 0, errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else {
                throw OutputClosed(errno: errno)
            }
        }
    }

    /// Writes to a closed pipe, or past the largest file that is allowed (`ulimit -f`), return an error from now on instead
    /// of ending the process.
    public static func ignoreClosedPipes() { for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) } }
}

/// One line on standard error: what is wrong and what to do next.
///
/// Messages repeat what the user wrote, a file's name for instance: control characters in it, which could end the line or
/// command the terminal, become question marks.
public func complain(_ program: String, _ message: String) {
    let line = Array("\(program): \(withoutControls(message))\n".utf8)
    line.withUnsafeBytes { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}

/// `text` with a question mark for each control character: on one line, and nothing in it that moves a terminal.
public func withoutControls(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        plain.append(scalar.properties.generalCategory == .control ? "?" : scalar)
    }
    return String(plain)
}
