import ALSABackend
import ArgumentParser
public import AudioIO
import Glibc
import Music
public import TestSignals

extension NumberedFrames: FrameRenderer {}

/// Plays or hears frames that say which they are, through a device's faults, and prints what was counted: `NAME VALUE`
/// for each figure. Meant for devices in simulated time, where a busy machine changes nothing of what happens.
struct Numbered: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays or hears numbered frames, through faults.")
    @Option(help: "The device.") var device = "simulated"
    @Option(help: "Seconds of the device's time to play.") var seconds = 3.5
    @Option(help: "Hears, and writes the first frames as raw floats to this file.") var heard: String?
    @Option(help: "Frames to hear.") var count = 100_000

    func run() throws {
        if let heard { try hear(device, count: count, into: heard) } else { try play(device, seconds) }
    }
}

private func play(_ device: String, _ seconds: Double) throws {
    try run { () throws(AudioError) in
        var request = StreamRequest.playback(device: device)
        request.whenLost = .reopen
        let end = MonotonicTime.now().nanoseconds + Int64(seconds * 1e9)
        let limit = simulatedTimeLimit()
        limit?(end)
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: NumberedFrames())
        while MonotonicTime.now().nanoseconds < end, stream.failure == nil { usleep(500) }
        let report = stream.report()
        limit?(-1)
        stream.stop()
        tell(report.statistics)
        if let failure = stream.failure { throw failure }
    }
}

private func hear(_ device: String, count: Int, into path: String) throws {
    try run { () throws(AudioError) in
        var request = StreamRequest.capture(device: device)
        request.whenLost = .reopen
        // Time passes a tenth of a second at a time, and only when all that came before has been read.
        let (step, limit) = (Int64(100_000_000), simulatedTimeLimit())
        let start = MonotonicTime.now()
        var stop = start.nanoseconds + step
        limit?(stop)
        var stream = try CaptureStream(request)
        guard var samples = stream.takeSamples() else { return }
        var (heard, gaps) = ([Float](), [Int]())
        var block = [Float](repeating: 0, count: 777)
        while stream.failure == nil {
            let isOver = MonotonicTime.now().nanoseconds >= stop
            var span = block.mutableSpan
            if let result = samples.readAvailable(into: &span) {
                if result.followsGap { gaps.append(heard.count) }
                heard += block[..<result.count]
            } else if isOver {
                if heard.count >= count { break }
                stop += step
                limit?(stop)
            } else {
                usleep(100)
            }
        }
        // Time stands at `stop`: the report and the time that passed are of one moment.
        let report = stream.report()
        let elapsed = (MonotonicTime.now() - start).inSeconds
        limit?(-1)
        stream.stop()
        tell(report.statistics)
        say("elapsed \(text(elapsed))")
        for gap in gaps { say("gap \(gap)") }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        let written = heard.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        say("written \(written / 4)")
        if let failure = stream.failure { throw failure }
    }
}

private func tell(_ statistics: StreamStatistics) {
    say("transferred \(statistics.transferredFrames)")
    say("xruns \(statistics.xruns)")
    say("suspensions \(statistics.suspensions)")
    say("lost \(statistics.lostFrames)")
    say("dropped \(statistics.droppedFrames)")
    say("discontinuities \(statistics.discontinuities)")
    say("enlargements \(statistics.enlargements)")
    say("reopenings \(statistics.reopenings)")
}

/// Sets the moment that simulated time does not pass; `nil` in real time.
func simulatedTimeLimit() -> (@convention(c) (Int64) -> Void)? {
    guard let symbol = dlsym(nil, "test_clock_limit") else { return nil }
    return unsafeBitCast(symbol, to: (@convention(c) (Int64) -> Void).self)
}
