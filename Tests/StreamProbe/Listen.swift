import ALSABackend
import ArgumentParser
import AudioIO
import Glibc
import Music

/// Hears clicks and prints each: `click AMPLITUDE AT`, in seconds of the system's clock; gaps in the sound as `gap FRAME`,
/// and as `break AT` what the stream counted.
struct Listen: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Hears clicks, through faults.")
    @OptionGroup var options: DeviceOptions

    func run() throws {
        let options = options
        try hearClicks(options)
    }
}

private func hearClicks(_ options: DeviceOptions) throws {
    try run { () throws(AudioError) in
        var stream = try CaptureStream(options.capture)
        say("format \(stream.format)")
        guard var samples = stream.takeSamples() else { return }
        let start = MonotonicTime.now()
        var position: Int64 = 0
        var block = [Float](repeating: 0, count: 1_024)
        var (state, known) = (StreamState.running, StreamStatistics())
        while (MonotonicTime.now() - start).inSeconds < options.seconds, !options.isOver {
            _ = samples.wait(timeout: .milliseconds(100))
            let report = stream.report()
            if isBroken(report.statistics, since: &known) {
                say("break \(text(Double(MonotonicTime.now().nanoseconds) * 1e-9))")
            }
            if report.state != state {
                state = report.state
                say("state \(state) \(text((MonotonicTime.now() - start).inSeconds))")
            }
            var span = block.mutableSpan
            guard let result = samples.readAvailable(into: &span) else {
                if report.state == .ended { break }
                continue
            }
            if result.followsGap { say("gap \(position)") }
            for i in 0..<result.count where block[i] > 0.2 {
                // Newer than what was read: the clock knows this frame.
                guard let time = stream.report().clock.time(ofFrame: position + Int64(i)) else { continue }
                say("click \(text(Double(block[i]))) \(text(Double(time.nanoseconds) * 1e-9))")
            }
            position += Int64(result.count)
        }
        say("end \(stream.report().statistics)")
        if let failure = stream.failure { throw failure }
    }
}
