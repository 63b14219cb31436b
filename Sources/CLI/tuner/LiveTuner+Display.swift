import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
import TerminalUI
internal import TunerUI

extension LiveTuner {
    /// Listens with the display and the keyboard of a terminal.
    func runDisplay(_ finder: NoteFinder, _ signals: SignalWatch) throws -> Int32 {
        let unicode = terminalShowsUnicode()
        var keys = try TunerKeys(command: command, unicode: unicode, own: try settings.instruments)
        var model = TunerModel(finder: finder)
        model.view = command.view
        if command.strum { model.board.mode = .strum }
        (model.tolerance, model.response) = (command.tolerance, command.response)
        keys.apply(to: &model)
        var keyboard = Keyboard()
        keyboard.open()
        // Draw first: opening a device can take a while.
        var display = TunerDisplay(model: model, unicode: unicode, prefersLine: command.line)
        try display.draw()
        let status: Int32
        var statistics: StreamStatistics?
        do {
            status = try listen(&display, &keyboard, &keys, signals, &statistics)
        } catch {
            keyboard.close()
            // If the output failed, there is nothing to restore.
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
        var strums = LiveStrums(clock: clock, tolerance: command.tolerance)
        if command.strum {
            try strums.start(command, display.model.finder, others: keys.otherTunings, on: analysis)
        }
        strums.follow(&display.model, others: keys.otherTunings, on: analysis)
        defer {
            stream.stop()
            statistics = stream.report().statistics
        }
        var tone: ToneStream?
        defer { tone?.stream.stop() }
        if let note = command.tone {
            tone = try openTone(try Tone.frequency(of: note, finder: display.model.finder))
        }
        var loop = EventLoop()
        let signalled = loop.watch(signals.descriptor)
        _ = loop.watch(analysis.descriptor)
        let stateChange = loop.watch(stream.stateChangeDescriptor)
        let typed = loop.watch(keyboard.descriptor)
        var news = DeviceNews(of: stream.format.device)
        var watch = SoundWatch()
        var toldHum: Set<Double> = []
        while true {
            // Readings come every few milliseconds; the screen is drawn every 16 at most.
            loop.change(typed, to: keyboard.descriptor)
            loop.wait()
            if loop.isReady(signalled) {
                let ended = try signals.status { () throws(OutputClosed) in
                    keyboard.close()
                    try display.end()
                    SignalWatch.pause()
                    keyboard.open()
                }
                if let ended { return ended }
                try display.redraw()
            }
            while let sound = strums.next(
                from: &analysis, display.model.finder, isExpected: display.model.board.mode == .strum)
            {
                if sound.isStrum, let tuning = sound.tuning { keys.find(tuning, model: &display.model) }
                watch.hear(sound)
                display.hear(sound)
            }
            while let reading = analysis.nextReading() {
                if let clip = analysis.takeClip() { watch.clip(at: clock.time(ofFrame: clip)) }
                let note = watch.judge(TunedNote(reading, clock: clock, finder: display.model.finder))
                display.hear(note)
                if let sentence = command.sentence(about: note.condition, told: &toldHum) {
                    display.model.say(sentence)
                }
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
                    case .tone: toggle(&tone, at: keys.a4, &display.model)
                    }
                }
                strums.follow(&display.model, others: keys.otherTunings, on: analysis)
                try display.draw()
            } else if display.isDue {
                // No signal announces that the keyboard is back after `bg` and `fg`.
                keyboard.open()
                if command.tuningOptions.learnsReference {
                    strums.follow(&display.model, others: keys.otherTunings, on: analysis)
                }
                try display.draw()
                let next = display.model.seconds + display.shortestFrame.inSeconds
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

    /// Sounds the note on the display, or A4, or ends the tone.
    private func toggle(_ tone: inout ToneStream?, at a4: Hertz, _ model: inout TunerModel) {
        guard tone == nil else {
            tone?.fadeOut()
            tone = nil
            return model.say("tone off")
        }
        do throws(AudioError) {
            tone = try openTone(model.pitch?.target ?? a4)
            model.say("tone \(model.pitch?.label ?? "A4"); t stops it")
        } catch {
            model.say(error.message)
        }
    }
}
