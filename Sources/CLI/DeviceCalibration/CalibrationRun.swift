internal import ALSABackend
package import AudioIO
internal import Configuration
internal import Glibc
internal import Realtime
internal import TerminalUI

extension CalibrationOptions {
    /// Measures the rate of the device until it is known to the wanted precision or the user ends that, and stores it.
    /// Returns the exit status.
    package func run(_ program: String, _ direction: StreamDirection) throws -> Int32 {
        let store = CalibrationStore()
        if show { return try tellAll(store) }
        if forget {
            let count = try store.forget(device)
            return try printLines([
                json
                    ? JSON.object([("device", JSON.quoted(device)), ("forgotten", "\(count)")])
                    : "\"\(device)\": \(count) calibration\(count == 1 ? "" : "s") removed"
            ])
        }
        let signals = try SignalWatch()
        switch direction {
        case .capture:
            var request = StreamRequest.capture(device: device)
            (request.sampleRate, request.deliversSamples) = (rate, false)
            var stream = try CaptureStream(request)
            return try measure(&stream, program, direction, store, signals)
        case .playback:
            var request = StreamRequest.playback(device: device)
            (request.sampleRate, request.growsOnXruns) = (rate, false)
            var stream = try PlaybackStream(try PlaybackDevice(request), playing: Silence())
            return try measure(&stream, program, direction, store, signals)
        }
    }

    private func tellAll(_ store: CalibrationStore) throws -> Int32 {
        let (cards, latencies) = try store.all()
        var rows = cards.map { json ? $0.json(kept: store.path) : "\($0.text)  (\($0.date))" }
        rows += latencies.map { json ? $0.json(kept: store.path) : $0.text }
        if rows.isEmpty, !json { rows = ["no device has been calibrated yet"] }
        return try printLines(rows)
    }

    private func measure(
        _ stream: inout some MeasuredStream & ~Copyable, _ program: String, _ direction: StreamDirection,
        _ store: CalibrationStore, _ signals: SignalWatch
    ) throws -> Int32 {
        var screen = CalibrationScreen(json: json)
        let start = MonotonicTime.now()
        var status = ExitStatus.ok
        var isOver = false
        var loop = EventLoop()
        _ = loop.watch(signals.descriptor)
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        let keys = loop.watch(screen.keyboard.descriptor)
        while !isOver {
            loop.change(keys, to: screen.keyboard.descriptor)
            loop.wait(until: .now() + .milliseconds(100))
            let ended = try signals.status { () throws(OutputClosed) in
                // The time that the process is stopped is a break like any other.
                try screen.close()
                SignalWatch.pause()
                screen.keyboard.open()
            }
            if let ended { (status, isOver) = (ended, true) }
            if screen.keyboard.keys().contains(where: { [.character("q"), .character("Q"), .enter].contains($0) }) {
                isOver = true
            }
            if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
            let report = stream.report()
            if let failure = stream.failure {
                try screen.close()
                throw failure
            }
            if report.statistics.isPacedBySystem {
                try screen.close()
                throw CommandError(.device, "\"\(device)\" has no clock to measure", remedy: "calibrate a sound card")
            }
            let progress = CalibrationProgress(report)
            if progress.isWithin(precision) { isOver = true }
            if let duration, (.now() - start).inSeconds >= duration { isOver = true }
            try screen.show(progress, wanted: precision, end: duration)
        }
        guard status == ExitStatus.ok else {
            try screen.close()
            complain(program, "interrupted, nothing is stored: end with q to store the result")
            return status
        }
        return try keep(stream.report(), direction, in: store, program, screen)
    }

    /// Stores the result, and explains it.
    private func keep(
        _ report: StreamReport, _ direction: StreamDirection, in store: CalibrationStore, _ program: String,
        _ screen: consuming CalibrationScreen
    ) throws -> Int32 {
        let discipline = SystemClock.discipline
        try screen.close()
        guard
            let result = CardCalibration(
                device: device, direction: direction, estimate: report.rate, discipline: discipline,
                measuredAt: Int64(time(nil)))
        else {
            throw CommandError(
                .device, "too short to measure the rate of \"\(device)\", nothing is stored",
                remedy: "let it run for 3 seconds without a break")
        }
        // The result comes first: the user sees it even if it cannot be stored.
        if !json { try screen.output.print(lines: ["\(result.text): \(result.meaning)", discipline.meaning]) }
        do throws(AudioError) { try store.keep(result) } catch {
            if json { try screen.output.print(lines: [result.json(kept: nil)]) }
            throw error
        }
        let stored = "stored in \(store.path); \(program) applies it from now on"
        try screen.output.print(lines: [json ? result.json(kept: store.path) : stored])
        return ExitStatus.ok
    }
}

/// A stream of either direction whose clock is measured.
private protocol MeasuredStream: ~Copyable {
    var failure: AudioError? { get }
    var stateChangeDescriptor: Int32 { get }
    mutating func report() -> StreamReport
    func acknowledgeStateChange()
}

extension CaptureStream: MeasuredStream {}
extension PlaybackStream: MeasuredStream where Renderer: ~Copyable {}

private struct Silence: FrameRenderer, Sendable {
    mutating func render(into frames: inout MutableSpan<Float>) { frames.update(repeating: 0) }
    mutating func skip(frames count: Int) {}
}
