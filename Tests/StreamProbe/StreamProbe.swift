import ALSABackend
import ArgumentParser
import AudioIO
import Glibc
import Synchronization

/// Plays and hears clicks through real devices and prints what happened, for tests and for tables of figures.
@main struct StreamProbe: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stream-probe", abstract: "Plays and hears clicks, and prints what happened.",
        subcommands: [
            Play.self, Listen.self, Loop.self, Soak.self, Numbered.self, Latency.self, Heartbeat.self,
            LogSessions.self,
        ])
}

struct DeviceOptions: ParsableArguments {
    @Option(help: "Seconds to run.") var seconds = 5.0
    @Option(help: "A file that ends it as soon as it is there.") var until: String?
    @Option(help: "Where clicks go.") var output = "default"
    @Option(help: "Where they are heard.") var input = "va_monitor"
    @Option(help: "Frames a transfer.") var period = 256
    @Option(help: "Frames the device holds.") var buffer = 1_024

    /// Whether `until` is there.
    var isOver: Bool { until.map { access($0, F_OK) == 0 } ?? false }

    var playback: StreamRequest {
        var request = StreamRequest.playback(device: output)
        (request.periodFrames, request.bufferFrames, request.whenLost) = (period, buffer, .reopen)
        request.sampleRate = 48.kilohertz
        return request
    }

    var capture: StreamRequest {
        var request = StreamRequest.capture(device: input)
        (request.channelCount, request.sampleRate, request.whenLost) = (2, 48.kilohertz, .reopen)
        return request
    }
}

/// A click every 12,000 frames: four a second. Click k is 0.3 + 0.05 · (k mod 8) loud, so that it says which it is.
struct Clicks: FrameRenderer, Sendable {
    static let interval: Int64 = 12_000
    private var next: Int64 = 0
    /// When the block with the newest click was asked for, in nanoseconds.
    static let asked = Atomic<Int64>(0)

    static func amplitude(_ click: Int64) -> Float { 0.3 + 0.05 * Float(click % 8) }

    mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            let isClick = next % Clicks.interval == 0
            frames[i] = isClick ? Clicks.amplitude(next / Clicks.interval) : 0
            if isClick { Clicks.asked.store(MonotonicTime.now().nanoseconds, ordering: .relaxed) }
            next += 1
        }
    }

    mutating func skip(frames count: Int) { next += Int64(count) }
}

/// Processor time of this process so far, in seconds.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
}

/// Seconds as text, to the microsecond.
func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 9e9 else { return "?" }
    let micro = Int64((abs(value) * 1e6).rounded())
    let fraction = String(micro % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(value < 0 && micro > 0 ? "-" : "")\(micro / 1_000_000).\(zeros)\(fraction)"
}

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func run<Result>(_ body: () throws(AudioError) -> Result) throws -> Result {
    do throws(AudioError) { return try body() } catch {
        let message = Array("stream-probe: \(error.message)\n".utf8)
        _ = message.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
        throw ExitCode.failure
    }
}
