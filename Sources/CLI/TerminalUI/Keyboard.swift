internal import Glibc

/// The keyboard of the terminal, key by key and without echo. Signals by key (Ctrl-C, Ctrl-Z) work as ever.
public struct Keyboard: ~Copyable {
    private var before: termios?
    private var decoder = KeyDecoder()
    /// Whether keys can come at all: standard input is this process's own terminal.
    public private(set) var isOpen = false

    /// Does nothing yet.
    public init() {}

    /// To be polled for input; -1, which `poll` passes over, while no keys can come.
    public var descriptor: Int32 { isOpen ? STDIN_FILENO : -1 }

    /// Takes the keyboard over, if standard input is a terminal that this process may change.
    public mutating func open() {
        // A background job that changes the terminal is stopped by SIGTTOU: it has no business with the keyboard.
        guard before == nil, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        settings.c_cc.6 = 0  // VMIN: a read never waits
        settings.c_cc.5 = 0  // VTIME
        isOpen = tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }

    /// The keys that were typed since the last call.
    public mutating func keys() -> [Key] {
        guard isOpen else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // Readable, and nothing there: the terminal has gone.
        guard count > 0 else {
            if count < 0, errno != EINTR, errno != EAGAIN { isOpen = false }
            return []
        }
        return decoder.keys(in: bytes.prefix(count))
    }

    /// Puts back what was found.
    public mutating func close() {
        isOpen = false
        guard var settings = before else { return }
        before = nil
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    deinit {
        guard var settings = before else { return }
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
}
