internal import Glibc
internal import Synchronization

/// The programs that run for a renderer, so that it can end all of them: whoever stops the music stand does not wait for a page.
final class RunningPrograms: Sendable {
    private struct State {
        var isOver = false
        /// The leaders of process groups. None has been waited for, so that each number is still that of the same process.
        var leaders: [pid_t] = []
    }
    private let state = Mutex(State())

    /// Ends all that run. What starts later ends at once.
    func stop() {
        state.withLock {
            $0.isOver = true
            for leader in $0.leaders { kill(-leader, SIGKILL) }
        }
    }

    /// Adds a process that leads a group of its own.
    func add(_ leader: pid_t) {
        state.withLock {
            $0.leaders.append(leader)
            if $0.isOver { kill(-leader, SIGKILL) }
        }
    }

    /// Takes a process away, which its parent then waits for.
    func remove(_ leader: pid_t) { state.withLock { $0.leaders.removeAll { $0 == leader } } }
}
