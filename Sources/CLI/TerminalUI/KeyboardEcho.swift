import Glibc

/// Keeps typed characters from being drawn over the live line, and puts the keyboard's settings back.
///
/// Standard input stays a line-wise terminal; signals by key (Ctrl-C, Ctrl-Z) work as ever.
public struct KeyboardEcho: ~Copyable {
    private var before: termios?

    /// Does nothing yet.
    public init() {}

    /// Stops the echo, if standard input is a terminal that this process may change.
    public mutating func silence() {
        // A background job that changes the terminal is stopped by SIGTTOU: it has no business with the keyboard.
        guard before == nil, isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp() else { return }
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Puts back what was found.
    public mutating func restore() {
        guard var settings = before else { return }
        before = nil
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    deinit {
        guard var settings = before else { return }
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
