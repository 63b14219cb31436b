internal import ALSABackend
internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import Rhythm
internal import TerminalUI
internal import Timebase

extension FindTempo {
    /// Finds the beats of what a microphone hears, until a signal comes.
    func listen(around hint: Tempo?) throws -> Int32 {
        let signals = try SignalWatch()
        var request = StreamRequest.capture(device: input ?? "default")
        request.whenLost = .reopen
        var stream = try CaptureStream(request)
        guard let samples = stream.takeSamples() else { throw AudioError.outOfResources("reading end") }
        var live = try LiveTempo(samples, format: stream.format, around: hint)
        var output = StandardOutput()
        var line = LiveLine()
        let isDrawn = output.isTerminal && !json && !csv
        if csv { try output.print(lines: [TempoSummary.csvHeader]) }
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(live.descriptor))
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        var news = DeviceNews(of: stream.format.device)
        var status: Int32?
        while status == nil {
            loop.wait(until: .now() + .milliseconds(100))
            status = try signals.status { () throws(OutputClosed) in
                try line.end(on: &output)
                SignalWatch.pause()
            }
            let beats = live.hear()
            let summary = TempoSummary(report: live.report, isHinted: hint != nil)
            if !isDrawn {
                try output.print(
                    lines: beats.map { json ? summary.json($0) : csv ? summary.csv($0) : summary.line($0) })
            } else if let newest = live.report.beats.last {
                try line.draw(Self.shown(newest, live.report, isNew: !beats.isEmpty), on: &output)
            } else {
                try line.draw("listening: no beat yet", on: &output)
            }
            if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
            while let sentence = news.next(stream.report(), because: stream.loss) {
                try line.erase(on: &output)
                complain(sentence)
            }
            if let failure = stream.failure {
                try line.end(on: &output)
                throw failure
            }
        }
        stream.stop()
        try line.erase(on: &output)
        // The first beats were told by a guess at the tempo, and may be a noise and a pause: the rest tells how many lay between.
        let report = live.report.leveled
        try draw(report, title: stream.format.device)
        let summary = TempoSummary(report: report, isHinted: hint != nil)
        if json { try output.print(lines: [summary.json]) }
        if !json && !csv { try output.print(summary.text) }
        try output.flush()
        return status ?? ExitStatus.ok
    }

    private static func shown(_ beat: TrackedBeat, _ report: TempoReport, isNew: Bool) -> String {
        var parts = [(isNew ? "* " : "  ") + TempoSummary.tempo(beat.tempo), "beat \(beat.number + 1)"]
        if let scatter = report.scatter { parts.append("scatter " + PlayingSummary.milliseconds(scatter)) }
        return parts.joined(separator: "   ")
    }
}

/// The tracker on the samples of a microphone.
struct LiveTempo: ~Copyable {
    private(set) var report: TempoReport
    private var samples: CapturedSamples
    private let heap: Heap
    private var block = [Float](repeating: 0, count: 4_096)

    /// The tracker has some hundred fields. In a variable it would be moved field by field, which takes 170 kB of code.
    private final class Heap {
        var tracker: TempoTracker
        init(_ sampleRate: Hertz, around hint: Tempo?) throws(OnsetError) {
            tracker = try TempoTracker(sampleRate: sampleRate, around: hint)
        }
    }

    init(_ samples: consuming CapturedSamples, format: StreamFormat, around hint: Tempo?) throws {
        do throws(OnsetError) {
            heap = try Heap(format.sampleRate, around: hint)
        } catch {
            throw CommandError(.device, "\"\(format.device)\": \(error.problem)", remedy: error.remedy)
        }
        self.samples = samples
        report = TempoReport(sampleRate: format.sampleRate)
    }

    /// A descriptor to poll, readable when there are samples.
    var descriptor: Int32 { samples.fileDescriptor }

    /// Processes what was recorded since the last call; returns the beats that are known now.
    mutating func hear() -> [TrackedBeat] {
        var block: [Float] = []
        swap(&block, &self.block)
        defer { swap(&block, &self.block) }
        var beats: [TrackedBeat] = []
        // Bounded, so that a slow machine still draws and takes signals.
        for _ in 0..<8 {
            var span = block.mutableSpan
            guard let got = samples.readAvailable(into: &span), got.count > 0 else { break }
            heap.tracker.process(block.span.extracting(first: got.count))
            while let beat = heap.tracker.nextBeat() {
                report.add(beat)
                beats.append(beat)
            }
        }
        return beats
    }
}
