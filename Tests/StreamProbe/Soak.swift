import ALSABackend
import ArgumentParser
import AudioIO
import Glibc
import TestSignals
import Music

/// Plays or hears for many hours of a device's time, and prints what was counted, what memory it took and how fast the
/// device was found to run. Meant for devices in simulated time: `Tests/Rigs/test-card.sh simulate`.
struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays or hears for hours of a device's time.")
    @Option(help: "Seconds of the device's time.") var seconds = 86_400.0
    @Option(help: "The device.") var device = "simulated"
    @Option(help: "Frames a second.") var rate = 8_000
    @Option(help: "Frames a transfer.") var period = 1_024
    @Option(help: "By how many ppm the device is fast.") var ppm = 0.0
    @Flag(help: "Hears instead of playing.") var capture = false

    func run() throws {
        var request = capture ? StreamRequest.capture(device: device) : StreamRequest.playback(device: device)
        (request.sampleRate, request.channelCount) = (rate.hertz, 1)
        (request.periodFrames, request.bufferFrames, request.whenLost) = (period, 8 * period, .reopen)
        let pace = 1 + ppm * 1e-6
        if capture { try hear(request, seconds, pace) } else { try play(request, seconds, pace) }
    }
}

/// Silence that counts its frames.
private struct Silence: FrameRenderer, Sendable {
    mutating func render(into frames: inout MutableSpan<Float>) { frames.update(repeating: 0) }
    mutating func skip(frames count: Int) {}
}

private func play(_ request: StreamRequest, _ seconds: Double, _ pace: Double) throws {
    try run { () throws(AudioError) in
        // Simulated time waits for the first look at the clock.
        let limit = simulatedTimeLimit()
        limit?(MonotonicTime.now().nanoseconds + 5_000_000_000)
        var stream = try PlaybackStream(try PlaybackDevice(request), playing: Silence())
        // Memory is compared from a first quarter on: what a stream needs is there by then.
        var watch = SoakWatch(seconds: seconds, pace: pace, format: stream.format)
        while watch.goesOn(stream.report()), stream.failure == nil {
            if watch.origin != nil { limit?(0) }
            usleep(2_000)
        }
        stream.stop()
        watch.finish(stream.report(), read: nil)
        if let failure = stream.failure { throw failure }
    }
}

private func hear(_ request: StreamRequest, _ seconds: Double, _ pace: Double) throws {
    try run { () throws(AudioError) in
        // In simulated time a day passes faster than it can be read: it waits for the reader, a second ahead of it.
        let limit = simulatedTimeLimit()
        let start = MonotonicTime.now().nanoseconds
        limit?(start + 1_000_000_000)
        var stream = try CaptureStream(request)
        guard var samples = stream.takeSamples() else { return }
        var watch = SoakWatch(seconds: seconds, pace: pace, format: stream.format)
        var block = [Float](repeating: 0, count: 8_192)
        var (read, gaps) = (Int64(0), 0)
        func take() throws(AudioError) -> Bool {
            var span = block.mutableSpan
            let result = try samples.read(into: &span)
            read += Int64(result.count)
            gaps += result.followsGap ? 1 : 0
            return !result.isEnd
        }
        while watch.goesOn(stream.report()) {
            let passed = Double(read + stream.report().statistics.lostFrames) / stream.format.sampleRate.value / pace
            // Beside what was read: the time for which a device may be gone before its frames are counted as lost.
            limit?(start + Int64((passed + (request.whenLost == .reopen ? 2 : 1)) * 1e9))
            _ = try take()
        }
        // No time passes until the stream has stopped, since nothing reads the samples any more.
        limit?(-1)
        stream.stop()
        // A card on which no time passes may have been given up by now; what was measured is over.
        while (try? take()) == true {}
        watch.finish(stream.report(), read: (read, gaps))
    }
}

private struct SoakWatch {
    let frames: Int64
    let format: StreamFormat
    /// The true rate of the device over its label.
    let pace: Double
    var pages = 0, handles = 0
    /// When frame 0 was at the converter, as known in the stream's first minute.
    var origin: MonotonicTime?

    init(seconds: Double, pace: Double, format: StreamFormat) {
        frames = Int64(seconds * format.sampleRate.value)
        (self.format, self.pace) = (format, pace)
    }

    mutating func goesOn(_ report: StreamReport) -> Bool {
        if pages == 0, report.statistics.transferredFrames > frames / 4 {
            (pages, handles) = (residentPages(), openFiles())
        }
        if origin == nil, report.statistics.transferredFrames > 4 * format.framesPerSecond {
            origin = report.clock.time(ofFrame: 0)
        }
        return report.statistics.transferredFrames < frames && report.state != .ended
    }

    func finish(_ report: StreamReport, read: (Int64, Int)?) {
        let statistics = report.statistics
        let seconds = Double(statistics.transferredFrames) / format.sampleRate.value
        // Where the stream is against the time that passed, in frames. Capture counts what it has, so what it lost is
        // added; playback keeps its place on the clock.
        let now = MonotonicTime.now()
        var off = Double.nan
        if let origin, let frame = report.clock.frame(at: now) {
            let passed = (now - origin).inSeconds * format.sampleRate.value * pace
            off = Double(frame + (read == nil ? 0 : statistics.lostFrames)) - passed
        }
        say(
            "soak hours \(text(seconds / 3_600)) frames \(statistics.transferredFrames) xruns \(statistics.xruns) "
                + "lost \(statistics.lostFrames) dropped \(statistics.droppedFrames) "
                + "discontinuities \(statistics.discontinuities) reopenings \(statistics.reopenings) "
                + "suspensions \(statistics.suspensions) files \(openFiles() - handles) "
                + "pages \(pages) \(residentPages()) off \(text(off)) "
                + "ppm \(text(report.rate.error?.value ?? .nan)) +- \(text(report.rate.standardError?.value ?? .nan))")
        if let read { say("read \(read.0) gaps \(read.1)") }
    }
}
