internal import Glibc

/// The keyboard of the terminal, key by key and without echo. The keys for signals (Ctrl-C, Ctrl-Z) work as usual.
package struct Keyboard: ~Copyable {
    private var before: termios?
    private var decoder = KeyDecoder()
    /// Whether keys can come: standard input is the terminal of this process.
    private(set) var isOpen = false

    package init() {}

    /// Readable when keys have come; -1 while none can come.
    package var descriptor: Int32 { isOpen ? STDIN_FILENO : -1 }

    /// Takes the keyboard over, if standard input is a terminal and this process owns it.
    package mutating func open() {
        // The kernel stops a background job that changes the terminal (SIGTTOU).
        guard before == nil, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
        settings.c_cc.6 = 0  // VMIN: a read does not wait
        settings.c_cc.5 = 0  // VTIME
        isOpen = tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
    }

    package mutating func keys() -> [Key] {
        guard isOpen else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else {
            // Any other error: the terminal has gone.
            if count < 0, errno != EINTR, errno != EAGAIN { isOpen = false }
            return []
        }
        return decoder.keys(in: bytes.prefix(count))
    }

    package mutating func close() {
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
