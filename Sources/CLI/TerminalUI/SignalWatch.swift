import Glibc
import Synchronization

/// Signals as events that the main loop can poll for.
///
/// The signals are blocked in every thread and one thread waits for them, so that nothing runs in a signal handler
/// and the terminal can be put right in ordinary code. Make it before any other thread starts: threads inherit the
/// block.
///
/// A main loop that is stuck, in a read from a pipe nobody writes to or a write that nobody reads, does not ask for
/// signals. So a signal that ends the program and is not taken within half a second ends it here, with the same status
/// and the terminal put back.
public final class SignalWatch: Sendable {
    /// Becomes readable when a signal has come.
    public let descriptor: Int32
    private let watched: Watched

    /// Starts watching. A watch lives as long as the process.
    ///
    /// - Parameter signals: what to watch for; by default all that end or pause a program or resize its window.
    public init(_ signals: [Int32]? = nil) {
        let signals = signals ?? [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH]
        var ends: [Int32] = [-1, -1]
        // Cannot fail but for a process that has no descriptors left; then no signal is reported.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        descriptor = ends[0]
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        watched = Watched(set: set, writeEnd: ends[1])
        let raw = Unmanaged.passRetained(watched).toOpaque()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                let watched = Unmanaged<Watched>.fromOpaque(raw).takeRetainedValue()
                while true { watched.wait() }
            }, raw)
        pthread_detach(thread)
    }

    /// The next signal that has come, or `nil`.
    public func next() -> Int32? {
        var byte: UInt8 = 0
        guard read(descriptor, &byte, 1) == 1 else { return nil }
        watched.taken.add(1, ordering: .releasing)
        return Int32(byte)
    }

    /// Pauses the process as Ctrl-Z does; returns when it is continued. Put the terminal right first.
    ///
    /// Where no shell could continue it, as in a window whose only program it is, the kernel does not pause it and this
    /// returns at once: that is what sets the signal apart from SIGSTOP, which would leave the window dead.
    public static func pause() {
        var only = sigset_t()
        var before = sigset_t()
        sigemptyset(&only)
        sigaddset(&only, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &only, &before)
        pthread_kill(pthread_self(), SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// What the waiting thread knows. Made once, before it starts; only `taken` changes from outside.
private final class Watched: @unchecked Sendable {
    let taken = Atomic<Int>(0)
    private var set: sigset_t
    private let writeEnd: Int32
    private var sent = 0
    /// The terminal as it was when the program began, and by which descriptor.
    private var terminal: (settings: termios, descriptor: Int32)?

    init(set: sigset_t, writeEnd: Int32) {
        (self.set, self.writeEnd) = (set, writeEnd)
        var settings = termios()
        let descriptor = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : STDOUT_FILENO
        if tcgetattr(descriptor, &settings) == 0 { terminal = (settings, descriptor) }
    }

    /// Waits for one signal, passes it on and sees to it that something comes of it.
    func wait() {
        var signal: Int32 = 0
        guard sigwait(&set, &signal) == 0 else { return }
        var byte = UInt8(truncatingIfNeeded: signal)
        if write(writeEnd, &byte, 1) == 1 { sent += 1 }
        guard signal != SIGWINCH else { return }
        // Half a second: long after any main loop that still turns has asked, and short for an impatient player.
        for _ in 0..<50 {
            if taken.load(ordering: .acquiring) >= sent { return }
            usleep(10_000)
        }
        if signal == SIGTSTP { return SignalWatch.pause() }
        restoreTerminal()
        _exit(ExitStatus.ended(by: signal))
    }

    private func restoreTerminal() {
        if var terminal, tcgetpgrp(terminal.descriptor) == getpgrp() {
            _ = tcsetattr(terminal.descriptor, TCSANOW, &terminal.settings)
        }
        guard isatty(STDOUT_FILENO) == 1 else { return }
        // Cursor back, ordinary screen; a terminal that is stopped (Ctrl-S) shall not hold us.
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK)
        let bytes = Array("\u{1B}[?1049l\u{1B}[?25h\r\n".utf8)
        bytes.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK)
    }
}
