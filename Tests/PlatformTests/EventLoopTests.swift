import Foundation
import Music
import Platform
import Testing

@Suite struct EventLoopTests {
    @Test func `A loop without descriptors sleeps until its deadline, not less`() {
        var loop = EventLoop()
        let begin = MonotonicTime.now()
        loop.wait(until: begin + .microseconds(1_500))
        #expect(MonotonicTime.now() - begin >= .microseconds(1_500))
        // A deadline in the past returns at once.
        loop.wait(until: begin)
    }

    @Test func `Only the descriptor that rang is ready, until it is cleared`() throws {
        let quiet = try WakeUp()
        let rung = try WakeUp()
        var loop = EventLoop()
        let (first, second, none) = (loop.watch(quiet.descriptor), loop.watch(rung.descriptor), loop.watch(-1))
        rung.ring()
        loop.wait()
        #expect(!loop.isReady(first) && loop.isReady(second) && !loop.isReady(none))
        rung.clear()
        loop.wait(until: .now())
        #expect(!loop.isReady(second))
        // Another descriptor in its place.
        quiet.ring()
        loop.change(second, to: quiet.descriptor)
        loop.wait()
        #expect(loop.isReady(first) && loop.isReady(second))
    }

    @Test func `The end of a pipe is ready`() throws {
        let pipe = Pipe()
        var loop = EventLoop()
        let source = loop.watch(pipe.fileHandleForReading.fileDescriptor)
        try pipe.fileHandleForWriting.close()
        loop.wait()
        #expect(loop.isReady(source))
    }

    @Test func `A signal does not end the wait before its deadline`() throws {
        signal(SIGUSR1) { _ in }
        let begin = MonotonicTime.now()
        let waiter = try WorkerThread("waiter") { _ in
            // Worker threads block all signals; this one has to be interrupted.
            var none = sigset_t()
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, nil)
            MonotonicTime.sleep(for: .milliseconds(100))
        }
        for _ in 0..<20 {
            usleep(4_000)
            waiter.send(signal: SIGUSR1)
        }
        _ = consume waiter
        #expect(MonotonicTime.now() - begin >= .milliseconds(100))
    }
}
