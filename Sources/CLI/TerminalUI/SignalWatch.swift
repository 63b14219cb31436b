internal import Glibc
internal import Platform
internal import Synchronization

/// Signals as events that an event loop can wait for.
///
/// All threads block the signals and one thread waits for them, so that ordinary code restores the terminal. Make the watch
/// before any other thread starts: threads inherit the block.
///
/// A main loop can be stuck, for instance in a read from a silent pipe. If it does not take a signal within half a second,
/// the watch restores the terminal and ends the program with the same status.
package final class SignalWatch: Sendable {
    private let inbox: SignalInbox
    private let thread: WorkerThread
    private let before: Mutex<sigset_t>

    /// Starts to watch for the signals that end or pause a program or resize its window.
    ///
    /// Throws `ResourceError`.
    package init() throws {
        let bell = try WakeUp()
        var (set, before) = (signalSet(SignalInbox.watched), sigset_t())
        pthread_sigmask(SIG_BLOCK, &set, &before)
        let inbox = SignalInbox(bell)
        do {
            thread = try WorkerThread("signals") { _ in inbox.receive() }
        } catch {
            pthread_sigmask(SIG_SETMASK, &before, nil)
            throw error
        }
        self.inbox = inbox
        self.before = Mutex(before)
    }

    /// Ends the watch: signals act as they did before it.
    deinit {
        inbox.isOver.store(true, ordering: .releasing)
        thread.send(signal: SIGWINCH)
        before.withLock { _ = pthread_sigmask(SIG_SETMASK, &$0, nil) }
    }

    package var descriptor: Int32 { inbox.bell.descriptor }

    /// Acts on the signals that have come; returns the exit status when one of them ends the program.
    ///
    /// - Parameter pausing: acts on Ctrl-Z: restores the terminal and calls `pause`.
    package func status<Failure>(pausing: () throws(Failure) -> Void) throws(Failure) -> Int32? {
        while let signal = inbox.next() {
            switch signal {
            case SIGWINCH: break
            case SIGTSTP: try pausing()
            default: return ExitStatus.ended(by: signal)
            }
        }
        return nil
    }

    /// Pauses the process as Ctrl-Z does; returns when it is continued. Restore the terminal first.
    ///
    /// Where no shell could continue it, as in a window whose only program it is, the kernel does not pause it and this
    /// returns at once. SIGSTOP would leave such a window dead.
    package static func pause() {
        var (only, before) = (signalSet([SIGTSTP]), sigset_t())
        pthread_sigmask(SIG_UNBLOCK, &only, &before)
        pthread_kill(pthread_self(), SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

/// Signals on their way from the thread that receives them to the one that acts on them.
private final class SignalInbox: Sendable {
    static let watched = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH]

    let bell: WakeUp
    let isOver = Atomic<Bool>(false)
    private let waiting = Mutex<[Int32]>([])
    private let terminal = TerminalState()

    init(_ bell: consuming WakeUp) { self.bell = bell }

    func next() -> Int32? {
        waiting.withLock { waiting in
            let signal = waiting.isEmpty ? nil : waiting.removeFirst()
            if waiting.isEmpty { bell.clear() }
            return signal
        }
    }

    func receive() {
        var set = signalSet(Self.watched)
        while true {
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { continue }
            if isOver.load(ordering: .acquiring) { return }
            waiting.withLock { waiting in
                waiting.append(signal)
                bell.ring()
            }
            if signal != SIGWINCH { insist(on: signal) }
        }
    }

    /// Acts on a signal that is not taken within half a second. An event loop that is not stuck is much faster.
    private func insist(on signal: Int32) {
        for _ in 0..<50 {
            if waiting.withLock({ $0.isEmpty }) || isOver.load(ordering: .acquiring) { return }
            usleep(10_000)
        }
        if signal == SIGTSTP { return SignalWatch.pause() }
        terminal.restore()
        _exit(ExitStatus.ended(by: signal))
    }
}

private func signalSet(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}

/// The terminal as it was when the program began.
private struct TerminalState: Sendable {
    private let settings: termios?
    private let descriptor: Int32

    init() {
        var found = termios()
        descriptor = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : STDOUT_FILENO
        settings = tcgetattr(descriptor, &found) == 0 ? found : nil
    }

    /// Restores it, with the cursor and the normal screen.
    func restore() {
        if var settings, tcgetpgrp(descriptor) == getpgrp() { _ = tcsetattr(descriptor, TCSANOW, &settings) }
        guard isatty(STDOUT_FILENO) == 1 else { return }
        // A terminal that is stopped (Ctrl-S) must not hold up the end.
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK)
        let bytes = Array("\u{1B}[?1049l\u{1B}[?25h\r\n".utf8)
        bytes.withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) & ~O_NONBLOCK)
    }
}
