import Foundation
import Platform
import Synchronization
import Testing

@Suite struct WorkerThreadTests {
    private final class Trace: Sendable {
        let isDone = Atomic<Bool>(false)
        let name = Mutex("")
        let blocksInterrupts = Atomic<Bool>(false)
    }

    @Test func `A thread has its name, takes no signals and is joined when its owner lets go`() throws {
        let trace = Trace()
        let before = blocksInterrupts()
        do {
            let thread = try WorkerThread("fifteen letters") { _ in
                let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
                trace.name.withLock { $0 = name ?? "" }
                trace.blocksInterrupts.store(blocksInterrupts(), ordering: .relaxed)
                usleep(20_000)
                trace.isDone.store(true, ordering: .releasing)
            }
            _ = consume thread
        }
        let isDone = trace.isDone.load(ordering: .acquiring)
        #expect(isDone)
        #expect(trace.name.withLock { $0 } == "fifteen letters\n")
        let blocked = trace.blocksInterrupts.load(ordering: .relaxed)
        #expect(blocked)
        // A thread of a pool may have blocked signals by itself.
        #expect(blocksInterrupts() == before, "the caller's mask is what it was")
    }

    private struct Work: ThreadWork, ~Copyable {
        let trace: Trace
        mutating func run(at priority: WorkerThread.Priority) { trace.name.withLock { $0 += "ran " } }
        deinit { trace.name.withLock { $0 += "and gone" } }
    }

    @Test func `What a thread owns is destroyed when its work is done`() throws {
        let trace = Trace()
        let thread = try WorkerThread.start("worker", Work(trace: trace))
        _ = consume thread
        #expect(trace.name.withLock { $0 } == "ran and gone")
    }
}

/// Whether the calling thread blocks SIGINT.
private func blocksInterrupts() -> Bool {
    var mask = sigset_t()
    pthread_sigmask(SIG_SETMASK, nil, &mask)
    return sigismember(&mask, SIGINT) == 1
}
