internal import Glibc

/// The terminal as it was when the program began.
package struct TerminalState: Sendable {
    private let settings: termios?
    private let descriptor: Int32

    package init() {
        var found = termios()
        descriptor = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : STDOUT_FILENO
        settings = tcgetattr(descriptor, &found) == 0 ? found : nil
    }

    /// Restores it, with the cursor and the normal screen.
    package func restore() {
        if var settings, tcgetpgrp(descriptor) == getpgrp() { _ = tcsetattr(descriptor, TCSANOW, &settings) }
        guard isatty(STDOUT_FILENO) == 1 else { return }
        // A terminal that is stopped (Ctrl-S) must not hold up the end.
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK)
        let bytes = Array("\u{1B}[?1049l\u{1B}[?25h\r\n".utf8)
        bytes.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK)
    }
}
