internal import Glibc
internal import Synchronization

/// Signals as events that an event loop can wait for.
///
/// All threads block the signals and one thread waits for them, so that ordinary code acts on them. Make the watch before any
/// other thread starts: threads inherit the block.
package final class SignalWatch: Sendable {
    private let inbox: SignalInbox
    private let thread: WorkerThread
    private let before: Mutex<sigset_t>

    /// Starts to watch for the signals that end or pause a program or resize its window.
    ///
    /// A main loop can be stuck, for instance in a read from a silent pipe.
    ///
    /// - Parameter stuck: ends the program, on another thread, where the loop does not take a signal within half a second.
    ///
    /// Throws `ResourceError`.
    package init(whenStuck stuck: @escaping @Sendable (_ signal: Int32) -> Never) throws {
        let bell = try WakeUp()
        var (set, before) = (signalSet(SignalInbox.watched), sigset_t())
        pthread_sigmask(SIG_BLOCK, &set, &before)
        let inbox = SignalInbox(bell, whenStuck: stuck)
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

    /// Acts on the signals that have come; returns the one that ends the program, if one does.
    ///
    /// - Parameter pausing: acts on Ctrl-Z; calls `pause`.
    package func endingSignal<Failure>(pausing: () throws(Failure) -> Void) throws(Failure) -> Int32? {
        while let signal = inbox.next() {
            switch signal {
            case SIGWINCH: break
            case SIGTSTP: try pausing()
            default: return signal
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
    private let stuck: @Sendable (Int32) -> Never

    init(_ bell: consuming WakeUp, whenStuck stuck: @escaping @Sendable (Int32) -> Never) {
        self.bell = bell
        self.stuck = stuck
    }

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
        stuck(signal)
    }
}

private func signalSet(_ signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
}
