import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
import Music
import Pitch
import Realtime
import TerminalUI
import TunerEngine

/// The tuner on a microphone: capture thread → ring → analysis thread → ring → this, the main thread.
struct LiveTuner {
    let command: Listen
    let settings: Settings

    /// Listens until a key, a signal or the end of the output.
    func run(_ finder: NoteFinder) throws -> Int32 {
        let signals = try SignalWatch()
        let output = TunerOutput(format: command.readingFormat, unicode: terminalShowsUnicode())
        guard output.redraws else { return try runPlain(finder, signals, output) }
        return try runDisplay(finder, signals)
    }

    private func open() throws -> CaptureStream {
        var request = StreamRequest.capture(device: command.device)
        request.sampleRate = command.input.rate.map { $0 < 300 ? $0.kilohertz : $0.hertz }
        request.channelCount = command.input.channels
        request.channel = command.input.channelChoice
        request.whenLost = .reopen
        let stream = try CaptureStream(request)
        if command.verbose { complain("tuner", "listening on \(stream.format.description)") }
        return stream
    }

    /// The clock of the device that was opened.
    private func clock(of format: StreamFormat) -> SampleClock {
        let measured = clockError(
            given: command.tuningOptions.clock, of: format, .capture, program: "tuner", isVerbose: command.verbose)
        return SampleClock(nominalRate: format.sampleRate, error: measured.error)
    }

    private func analyse(_ stream: inout CaptureStream) throws -> AnalysisThread {
        guard let samples = stream.takeSamples() else { throw AudioError.noDevice(device: command.device) }
        let engine: TunerEngine
        do {
            engine = try TunerEngine(sampleRate: stream.format.sampleRate, method: command.input.method)
        } catch {
            throw CommandError(
                "\"\(command.device)\" runs at \(stream.format.framesPerSecond) Hz: ask for 8000 to 192000 Hz with -r",
                exitStatus: ExitStatus.noDevice)
        }
        return try AnalysisThread(engine: engine, samples: samples)
    }

    /// Reports the statistics of the stream with `--verbose`.
    private func tell(_ statistics: StreamStatistics) {
        if command.verbose { complain("tuner", statistics.summary) }
    }

    private func openTone(_ frequency: Hertz) throws(AudioError) -> ToneStream {
        try ToneStream(
            frequency, color: command.color, level: (-12.0).decibels, device: command.toneDevice, rate: nil, clock: nil)
    }

    // MARK: In a pipe

    private func runPlain(
        _ finder: NoteFinder, _ signals: SignalWatch, _ output: consuming TunerOutput
    ) throws -> Int32 {
        var stream = try open()
        defer { tell(stream.report().statistics) }
        let clock = clock(of: stream.format)
        var finder = finder
        var reference = try LearntReference(command.tuningOptions)
        var analysis = try analyse(&stream)
        var tone: ToneStream?
        if let note = command.tone { tone = try openTone(try Tone.frequency(of: note, finder: finder)) }
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(analysis.descriptor))
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        defer { tone?.stop() }
        var news = DeviceNews(of: stream.format.device)
        let start = MonotonicTime.now()
        do {
            while true {
                loop.wait(until: news.isLost ? .now() + .milliseconds(250) : nil)
                while let event = signals.next() {
                    switch event {
                    case .resized: break
                    case .paused: SignalWatch.pause()
                    case .ended(let status):
                        try output.end()
                        return status
                    }
                }
                while let reading = analysis.nextReading() {
                    let note = TunedNote(reading, clock: clock, finder: finder)
                    try output.show(note, file: nil)
                    if let learnt = try reference.hear(note) { finder.tuning = learnt }
                    if command.input.isOver(at: note.time) {
                        try output.end()
                        return ExitStatus.ok
                    }
                }
                try output.update()
                if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
                while let sentence = news.next(stream.report(), because: stream.loss) {
                    try output.update()
                    complain("tuner", sentence)
                }
                if let failure = stream.failure { throw failure }
                // The device did not come back within the time that was asked for.
                if news.isLost, let loss = stream.loss, command.input.isOver(at: .now() - start) {
                    throw loss
                }
            }
        } catch let closed as OutputClosed {
            stream.stop()
            throw closed
        }
    }

    // MARK: On a terminal

    private func runDisplay(_ finder: NoteFinder, _ signals: SignalWatch) throws -> Int32 {
        let unicode = terminalShowsUnicode()
        var keys = try TunerKeys(command: command, unicode: unicode, own: try settings.instruments)
        var model = TunerModel(finder: finder)
        model.view = command.view
        keys.apply(to: &model)
        var keyboard = Keyboard()
        keyboard.open()
        // Opening a device can take a while, so the display comes first.
        var display = TunerDisplay(model: model, unicode: unicode, prefersLine: command.line)
        try display.draw()
        let status: Int32
        var statistics: StreamStatistics?
        do {
            status = try listen(&display, &keyboard, &keys, signals, &statistics)
        } catch {
            keyboard.close()
            // The output may be what failed.
            try? display.end()
            if let statistics { tell(statistics) }
            throw error
        }
        keyboard.close()
        try display.end()
        if let statistics { tell(statistics) }
        return status
    }

    private func listen(
        _ display: inout TunerDisplay, _ keyboard: inout Keyboard, _ keys: inout TunerKeys, _ signals: SignalWatch,
        _ statistics: inout StreamStatistics?
    ) throws -> Int32 {
        var stream = try open()
        let clock = clock(of: stream.format)
        var analysis = try analyse(&stream)
        defer {
            stream.stop()
            statistics = stream.report().statistics
        }
        var tone: ToneStream?
        defer { tone?.stop() }
        if let note = command.tone {
            tone = try openTone(try Tone.frequency(of: note, finder: display.model.finder))
        }
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(analysis.descriptor))
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        let typed = loop.watch(keyboard.descriptor)
        var news = DeviceNews(of: stream.format.device)
        while true {
            loop.change(typed, to: keyboard.descriptor)
            loop.wait()
            while let event = signals.next() {
                switch event {
                case .resized: try display.redraw()
                case .ended(let status): return status
                case .paused:
                    keyboard.close()
                    try display.end()
                    SignalWatch.pause()
                    keyboard.open()
                    try display.redraw()
                }
            }
            while let reading = analysis.nextReading() {
                let note = TunedNote(reading, clock: clock, finder: display.model.finder)
                display.hear(note)
                keys.hear(note, model: &display.model)
                if command.input.isOver(at: note.time) {
                    try display.draw()
                    return ExitStatus.ok
                }
            }
            if loop.isReady(typed) {
                for key in keyboard.keys() {
                    switch keys.press(key, model: &display.model) {
                    case .none: break
                    case .quit: return ExitStatus.ok
                    case .tone:
                        if tone != nil {
                            tone?.fadeOut()
                            tone = nil
                            display.model.say("tone off")
                        } else {
                            let heard = display.model.pitch
                            let frequency = heard?.target ?? keys.a4.hertz
                            do throws(AudioError) {
                                tone = try openTone(frequency)
                                display.model.say("tone \(heard?.label ?? "A4"); t ends it")
                            } catch {
                                display.model.say(error.message)
                            }
                        }
                    }
                }
                try display.draw()
            } else if display.isDue {
                // No signal tells of `fg`, which brings the keyboard back after `bg`.
                keyboard.open()
                try display.draw()
                let next = display.model.seconds + TunerDisplay.shortestFrame.inSeconds
                analysis.rest(untilFrame: clock.frame(at: .seconds(next)))
            }
            if loop.isReady(stateChange) { stream.acknowledgeStateChange() }
            while let sentence = news.next(stream.report(), because: stream.loss) {
                display.tell(sentence, isLost: news.isLost)
                try display.draw()
            }
            if let failure = stream.failure { throw failure }
        }
    }
}
