import Glibc
import Synchronization

/// Signals as events that the main loop can poll for.
///
/// The signals are blocked in every thread and one thread waits for them, so that nothing runs in a signal handler
/// and the terminal can be put right in ordinary code. Make it before any other thread starts: threads inherit the
/// block.
public final class SignalWatch: Sendable {
    /// Becomes readable when a signal has come.
    public let descriptor: Int32
    private let writeEnd: Int32

    /// Starts watching. A watch lives as long as the process.
    ///
    /// - Parameter signals: what to watch for; by default all that end or pause a program or resize its window.
    public init(_ signals: [Int32]? = nil) {
        let signals = signals ?? [SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH]
        var ends: [Int32] = [-1, -1]
        // Cannot fail but for a process that has no descriptors left; then no signal is reported.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        (descriptor, writeEnd) = (ends[0], ends[1])
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let raw = Unmanaged.passRetained(Watched(set: set, writeEnd: writeEnd)).toOpaque()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { raw in
                guard let raw else { return nil }
                let watched = Unmanaged<Watched>.fromOpaque(raw).takeRetainedValue()
                while true {
                    var signal: Int32 = 0
                    guard sigwait(&watched.set, &signal) == 0 else { continue }
                    var byte = UInt8(truncatingIfNeeded: signal)
                    _ = write(watched.writeEnd, &byte, 1)
                }
            }, raw)
        pthread_detach(thread)
    }

    /// The next signal that has come, or `nil`.
    public func next() -> Int32? {
        var byte: UInt8 = 0
        return read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
    }
    /// Pauses the process as Ctrl-Z does; returns when it is continued. Put the terminal right first.
    public static func pause() { kill(getpid(), SIGSTOP) }
}

private final class Watched {
    var set: sigset_t
    let writeEnd: Int32
    init(set: sigset_t, writeEnd: Int32) { (self.set, self.writeEnd) = (set, writeEnd) }
}
