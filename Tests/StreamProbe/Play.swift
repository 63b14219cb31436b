import ALSABackend
import ArgumentParser
import AudioIO
import Glibc
import TestSignals
import Music

/// Plays clicks and reports the states of the stream: `state NAME AT`, `waited SECONDS CPU`, `end STATISTICS`, times in
/// seconds since the beginning; and `break AT`, in seconds of the system's clock, where it stumbled.
struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays clicks, through faults.")
    @OptionGroup var options: DeviceOptions
    @Option(help: "A period in which the program does nothing, in milliseconds, after two seconds.") var stall = 0

    func run() throws {
        let options = options
        try playClicks(options, stall: stall)
    }
}

private func playClicks(_ options: DeviceOptions, stall: Int) throws {
    try run { () throws(AudioError) in
        let device = try PlaybackDevice(options.playback)
        say("format \(device.format)")
        var stream = try PlaybackStream(device, playing: Stalling(milliseconds: stall))
        let start = MonotonicTime.now()
        var (state, lostAt, cpuAtLoss) = (StreamState.running, start, 0.0)
        var known = StreamStatistics()
        say("pages \(residentPages())")
        while (MonotonicTime.now() - start).inSeconds < options.seconds, !options.isOver {
            var entry = pollfd(fd: stream.stateChangeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, 100)
            if entry.revents != 0 { stream.acknowledgeStateChange() }
            let report = stream.report()
            if isBroken(report.statistics, since: &known) {
                say("break \(text(Double(MonotonicTime.now().nanoseconds) * 1e-9))")
            }
            guard report.state != state else { continue }
            state = report.state
            let now = MonotonicTime.now()
            if state == .lost { (lostAt, cpuAtLoss) = (now, processorTime()) }
            if state == .running {
                say("waited \(text((now - lostAt).inSeconds)) \(text(processorTime() - cpuAtLoss))")
            }
            say("state \(state) \(text((now - start).inSeconds))")
        }
        if state == .lost {
            say("waited \(text((MonotonicTime.now() - lostAt).inSeconds)) \(text(processorTime() - cpuAtLoss))")
        }
        let report = stream.report()
        say("pages \(residentPages())")
        say("end \(report.statistics)")
        if let failure = stream.failure { throw failure }
        stream.stop()
    }
}

/// Whether frames or time were lost since `known`, which becomes what is known now.
func isBroken(_ statistics: StreamStatistics, since known: inout StreamStatistics) -> Bool {
    defer { known = statistics }
    return statistics.xruns != known.xruns || statistics.discontinuities != known.discontinuities
        || statistics.lostFrames != known.lostFrames || statistics.suspensions != known.suspensions
}

/// Clicks from a program that once does nothing for a while.
struct Stalling: FrameRenderer, Sendable {
    private var clicks = Clicks()
    private var frames = 0
    private var milliseconds: Int

    init(milliseconds: Int) { self.milliseconds = milliseconds }

    mutating func render(into block: inout MutableSpan<Float>) {
        frames += block.count
        if milliseconds > 0, frames > 96_000 {
            usleep(UInt32(milliseconds) * 1_000)
            milliseconds = 0
        }
        clicks.render(into: &block)
    }

    mutating func skip(frames count: Int) { clicks.skip(frames: count) }
}
