import ArgumentParser
import AudioIO
import Glibc

/// Sleeps for 5 ms at a time with the priority of audio threads, and reports each sleep that lasted much longer:
/// `late AT MILLISECONDS`. What is late here is the machine, busy with something else; no code of ours runs beside it.
struct Heartbeat: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tells when the machine was too busy for sound.")
    @Option(help: "Seconds to run.") var seconds = 5.0

    /// A period of 256 frames at 48 kHz: a server that is that late has missed one.
    private static let tolerable: Int64 = 5_333_333

    func run() {
        raisePriority()
        let start = MonotonicTime.now()
        var due = start.nanoseconds
        while due - start.nanoseconds < Int64(seconds * 1e9) {
            due += 5_000_000
            var moment = timespec(tv_sec: Int(due / 1_000_000_000), tv_nsec: Int(due % 1_000_000_000))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &moment, nil)
            let now = MonotonicTime.now().nanoseconds
            guard now - due > Heartbeat.tolerable else { continue }
            say("late \(text(Double(now) * 1e-9)) \(text(Double(now - due) * 1e-6))")
            due = now
        }
        say("end")
    }
}

/// Real-time priority for the calling thread, as the streams' own threads and the programs in C have it.
func raisePriority() {
    var parameter = sched_param(sched_priority: 60)
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
}
