internal import ALSABackend
package import AudioIO
internal import Glibc
internal import Music
internal import TerminalUI

extension CalibrationOptions {
    /// Measures the rate of the device until it is known to the wanted precision or the user ends that, and stores it.
    ///
    /// - Parameters:
    ///   - program: its name, for messages.
    ///   - direction: whether the device listens or plays.
    /// - Returns: the exit status.
    /// - Throws: `AudioError`, `CommandError`, `OutputClosed`.
    package func run(_ program: String, _ direction: StreamDirection) throws -> Int32 {
        let store = CalibrationStore()
        if show { return try tellAll(store) }
        if forget {
            let count = try store.forget(device)
            var output = StandardOutput()
            try output.print(
                json
                    ? line(Forgotten(device: device, forgotten: count)) + "\n"
                    : "\"\(device)\": \(count) calibration\(count == 1 ? "" : "s") removed\n")
            try output.flush()
            return ExitStatus.ok
        }
        let signals = try SignalWatch()
        switch direction {
        case .capture:
            var request = StreamRequest.capture(device: device)
            (request.sampleRate, request.deliversSamples) = (sampleRate, false)
            var stream = try CaptureStream(request)
            return try measure(&stream, program, direction, store, signals)
        case .playback:
            var request = StreamRequest.playback(device: device)
            (request.sampleRate, request.growsOnXruns) = (sampleRate, false)
            var stream = try PlaybackStream(try PlaybackDevice(request), playing: Silence())
            return try measure(&stream, program, direction, store, signals)
        }
    }

    private func tellAll(_ store: CalibrationStore) throws -> Int32 {
        let (cards, latencies) = try store.all()
        var output = StandardOutput()
        for card in cards {
            try output.print(json ? card.json(kept: store.path) + "\n" : "\(card.text)  (\(card.date))\n")
        }
        for latency in latencies {
            try output.print(json ? latency.json(kept: store.path) + "\n" : "\(latency.text)\n")
        }
        if cards.isEmpty, latencies.isEmpty, !json { try output.print("no device has been calibrated yet\n") }
        try output.flush()
        return ExitStatus.ok
    }

    private func measure(
        _ stream: inout some MeasuredStream & ~Copyable, _ program: String, _ direction: StreamDirection,
        _ store: CalibrationStore, _ signals: SignalWatch
    ) throws -> Int32 {
        var screen = CalibrationScreen(json: json)
        defer { stream.end() }
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
            while let event = signals.next() {
                switch event {
                case .resized: break
                case .ended(let ended): (status, isOver) = (ended, true)
                case .paused:
                    // The time that the process is stopped is a break like any other.
                    try screen.close()
                    SignalWatch.pause()
                    screen.keyboard.open()
                }
            }
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
                throw CommandError(
                    "\"\(device)\" has no clock to measure: calibrate a sound card",
                    exitStatus: ExitStatus.noDevice)
            }
            let progress = CalibrationProgress(report)
            if progress.isWithin(precision.ppm) { isOver = true }
            if let duration, (.now() - start).inSeconds >= duration { isOver = true }
            try screen.show(progress, wanted: precision)
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
                "too short to measure the rate of \"\(device)\", nothing is stored: let it run for 3 seconds without a break",
                exitStatus: ExitStatus.noDevice)
        }
        // The result comes first: the user sees it even if it cannot be stored.
        if !json { try screen.output.print("\(result.text): \(result.meaning)\n\(discipline.meaning)\n") }
        do throws(AudioError) { try store.keep(result) } catch {
            if json { try screen.output.print(result.json(kept: nil) + "\n") }
            try screen.output.flush()
            throw error
        }
        try screen.output.print(
            json
                ? result.json(kept: store.path) + "\n"
                : "stored in \(store.path); \(program) applies it from now on\n")
        try screen.output.flush()
        return ExitStatus.ok
    }
}

/// The JSON of `--forget`.
private struct Forgotten: Encodable {
    let device: String
    let forgotten: Int
}

/// Shows the progress: a line that is redrawn on a terminal, a line per second in a pipe.
private struct CalibrationScreen: ~Copyable {
    var output = StandardOutput()
    var keyboard = Keyboard()
    private var live = LiveLine()
    private let json: Bool
    private let redraws: Bool
    private var shownSecond = -1

    init(json: Bool) {
        self.json = json
        redraws = output.isTerminal && !json
        if output.isTerminal { keyboard.open() }
    }

    mutating func show(_ progress: CalibrationProgress, wanted: Double) throws(OutputClosed) {
        guard !redraws else {
            let hint = "  (until ± \(fixedPoint(wanted / 2, decimals: 2)); q ends)"
            return try live.draw(progress.text + hint, on: &output)
        }
        let second = Int(progress.seconds.rounded())
        guard second != shownSecond, progress.error != nil else { return }
        shownSecond = second
        try output.print((json ? progress.json : progress.text) + "\n")
        try output.flush()
    }

    mutating func close() throws(OutputClosed) {
        keyboard.close()
        try live.end(on: &output)
    }
}
