internal import ALSABackend
public import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import Glibc
public import MetronomeEngine
internal import PracticeLog
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase
internal import Transport

extension MetronomeEngine: FrameRenderer {}

extension MetronomeCommand {
    /// Plays the plan until it ends, a signal arrives or the reader of the output goes away.
    func play(_ grid: PlanGrid, _ sounds: ChosenSounds, _ settings: Settings, _ list: SetList? = nil) throws -> Int32 {
        let signals = try SignalWatch()
        var request = output.playbackRequest(period)
        request.whenLost = .reopen
        let opened = try PlaybackDevice(request)
        let format = opened.format
        if output.isVerbose { complain("playing on \(format.description)") }
        let clock = clockError(
            given: output.clock, of: format, .playback, program: RunningCommand.name, isVerbose: output.isVerbose)
        let rate = format.framesPerSecond
        let schedule = try schedule(grid, sampleRate: rate, frameRate: clock.error.frameRate(rate))
        let clicks = sounds.clicks(rate)
        // Another sound would have to be learnt first.
        let choices = hears.hears ? [] : choices(after: clicks[0], sampleRate: rate)
        let layers = (0..<schedule.layerCount).map { clicks[min($0, clicks.count - 1)] }
        let metronome = Metronome(
            schedule: schedule, sounds: clicks, voiceCount: list == nil ? 1 : 1 + CrossRhythm.mostVoices,
            choices: choices, gains: sounds.gains, placement: hears.hears ? .nearestFrame : sounds.placement,
            leadsIn: true)
        let companion = try PlayCompanions.maker?()
        let (start, end) = (metronome.engine.position, metronome.engine.endFrame)
        let listening = try hears.hears ? listen(beside: format, to: layers, start: start, grid) : nil
        var model = model(grid, sound: clicks[0], list)
        var keys = MetronomeKeys(
            control: metronome.control, grid: grid, command: self, list: list,
            sounds: [clicks[0].name] + choices.map(\.name))
        // Silent until the player begins.
        if hears.follow { keys.control.stop() }
        // Before the first frame is rendered, or a click of the first bar would be heard.
        if let run = companion?.resumed { keys.resume(run, &model) }
        var stream = try PlaybackStream(opened, playing: metronome.engine)
        var display = MetronomeDisplay(
            format: format, delay: output.hiddenLatency(of: format.device), start: start, end: end,
            beats: metronome.events, model: model, keys: keys,
            recorder: recorder(format, settings, list), listening: listening, prefersLine: looks.line)
        if let companion {
            let prediction = CoursePrediction(sampleRate: format.sampleRate, frameRate: clock.error.frameRate(rate))
            // Where a run that was cut off goes on is not known before its first beat.
            let (plan, factor) = (display.keys.grid, display.keys.factor)
            let follower =
                companion.resumed == nil
                ? CourseFollower(prediction, grid: grid, end: end)
                : CourseFollower(prediction, within: plan.scaled(by: factor) ?? plan)
            display.accompaniment = Accompaniment(companion, follower)
            display.accompaniment?.run = companion.resumed
        }
        // However it ends.
        defer {
            stream.stop()
            if output.isVerbose { complain(stream.report().statistics.summary) }
            display.recorder.finish()
        }
        let status = try display.run(showing: &stream, until: signals)
        if status == ExitStatus.ok {
            PracticeQuestion.ask(about: display.recorder.session, settings: isLogWanted(settings))
        }
        return display.recorder.finish(status)
    }

    /// Opens the microphone.
    private func listen(
        beside format: StreamFormat, to sounds: [ClickSound], start: Int64, _ grid: PlanGrid
    ) throws -> Listening {
        let clicks: PlayedClicks = hears.headphones ? .none : PlayedClicks(sounds, sampleRate: format.sampleRate)
        let hearing = try PlayerHearing(
            device: verification.input, beside: format, clicks: clicks, start: start,
            lead: hears.follow ? lead(grid) : nil, isVerbose: output.isVerbose)
        for processing in CaptureProcessing.active(on: hearing.device) {
            complain(
                "\(processing.rawValue) is on for \"\(hearing.device)\" and changes what is heard: switch it off")
        }
        if !hearing.isAbsolute {
            complain(
                "the latency from \"\(format.device)\" to \"\(hearing.device)\" is not calibrated: "
                    + (hears.follow
                        ? "the click comes so much too late; "
                        : "spread and tendency are told, and lateness relative to the mean; ")
                    + "metronome calibrate latency measures it")
        }
        return Listening(
            hearing, limit: try hears.limit(), isJSON: verification.json, table: output.csv, plot: hears.plot,
            title: words.joined(separator: " "))
    }

    /// What the settings say about the log.
    private func isLogWanted(_ settings: Settings) -> Bool? { settings.truth(of: "log", in: "metronome") }

    /// The recorder of this session.
    private func recorder(_ format: StreamFormat, _ settings: Settings, _ list: SetList?) -> SessionRecorder {
        let session = PracticeSession(
            program: "metronome", began: Int64(time(nil)), plan: plan.joined(separator: " "),
            piece: list?.current.name ?? logging.piece, device: format.device)
        return SessionRecorder(
            session, isLogged: PracticeQuestion.isLogged(given: logging.log, settings: isLogWanted(settings)),
            isAsked: logging.log && isLogWanted(settings) == nil, sampleRate: format.sampleRate.value)
    }

    /// The sounds that the key `s` steps through, starting after the current one.
    private func choices(after sound: ClickSound, sampleRate: Int) -> [ClickSound] {
        let names = ClickSound.names
        let place = names.firstIndex(of: sound.name) ?? -1
        let others = names[(place + 1)...] + names[..<max(0, place)]
        return others.compactMap { ClickSound.named($0, sampleRate: sampleRate.hertz) }
    }

    /// The initial state of the display.
    private func model(_ grid: PlanGrid, sound: ClickSound, _ list: SetList?) -> MetronomeModel {
        var model = MetronomeModel(grid: grid)
        model.title = beat.map.map { ["map", $0] }?.joined(separator: " ") ?? words.joined(separator: " ")
        if let list { model.title = list.title }
        model.sound = sound.name
        let keys = PlayCompanions.maker == nil ? MetronomeProgram.keys : MetronomeProgram.accompaniedKeys
        model.keys = hears.follow ? MetronomeProgram.followingKeys : keys
        if hears.follow {
            model.title = (words + ["--follow"]).joined(separator: " ")
            model.leads = FollowedPlayer()
        }
        (model.isBig, model.flashes) = (looks.big, looks.flash)
        if looks.flash { model.say(MetronomeKeys.flashWarning) }
        return model
    }
}

extension PartsPerMillion {
    /// The true frames per second to a hundredth of a ppm; `nil` if the nominal rate is true.
    func frameRate(_ sampleRate: Int) -> Ratio? {
        // 1 ms in 28 hours. Finer fractions would cost tempi with many digits their exactness.
        let hundredths = Int64((value * 100).rounded())
        return hundredths == 0
            ? nil : Ratio(wide: Int128(sampleRate) * Int128(100_000_000 + hundredths), over: 100_000_000)
    }
}

extension OutputOptions {
    /// How much later than the device reports a click is heard, as `calibrate latency` measured it; 0 if it never did.
    func hiddenLatency(of device: String) -> Duration {
        guard let known = try? CalibrationStore().latency(from: device) else { return .zero }
        let milliseconds = fixedPoint(known.hidden.inSeconds * 1_000, decimals: 2)
        if isVerbose {
            complain("\"\(device)\" is heard \(milliseconds) ms later than it reports: corrected")
        }
        return max(.zero, known.hidden)
    }
}
