internal import ALSABackend
internal import AudioIO
internal import Configuration
internal import DeviceCalibration
internal import Glibc
internal import MetronomeEngine
internal import Realtime
internal import Synthesis
internal import TerminalUI
internal import Timebase

extension MetronomeCommand {
    /// Plays the plan, records it by loop-back or microphone, and reports its timing: `--verify`.
    func verify(_ grid: PlanGrid, _ sounds: ChosenSounds) throws -> Int32 {
        guard self.sounds.sound != RecordedClick.countName else {
            throw CommandError(
                .usage, "--verify places clicks by their waveform, and no two words are alike",
                remedy: "use another --sound than \(RecordedClick.countName)")
        }
        let signals = try SignalWatch()
        let opened = try PlaybackDevice(output.playbackRequest(period))
        let format = opened.format
        var listening = StreamRequest.capture(device: verification.input)
        // Both streams need one rate to be compared.
        listening.sampleRate = format.sampleRate
        var capture = try CaptureStream(listening)
        guard let samples = capture.takeSamples() else { throw AudioError.outOfResources("reading end") }
        if output.isVerbose {
            complain("playing on \(format.description)")
            complain("listening on \(capture.format.description)")
        }
        let isVerbose = output.isVerbose
        let played = clockError(
            given: output.clock, of: format, .playback, program: RunningCommand.name, isVerbose: isVerbose)
        let heard = clockError(
            given: nil, of: capture.format, .capture, program: RunningCommand.name, isVerbose: isVerbose)
        let rate = format.framesPerSecond
        let schedule = try schedule(grid, sampleRate: rate, frameRate: played.error.frameRate(rate))
        let chosen = sounds.clicks(rate)
        let metronome = Metronome(
            schedule: schedule, sounds: chosen, gains: sounds.gains, placement: sounds.placement)
        // Half a second of silence lets both streams settle.
        let lead = Int64(format.framesPerSecond / 2)
        let start = metronome.engine.position - lead
        // Half a minute, unless the plan ends.
        let end = metronome.engine.endFrame ?? metronome.engine.position + 30 * Int64(format.framesPerSecond)
        let moments = SPSCRing<RenderMoment>(
            minimumCapacity: 8_192, filler: RenderMoment(frame: 0, time: MonotonicTime(nanoseconds: 0)))
        let known = try? CalibrationStore().latency(from: format.device, to: capture.format.device)
        let hidden = known?.hidden ?? .zero
        // Half a second after the last click for late ones.
        let latest = hidden + .milliseconds(500)
        var playback = try PlaybackStream(
            opened, playing: TimedEngine(engine: metronome.engine, lead: lead, moments: moments.producer))
        var hearing = ClickHearing(
            samples: samples, beats: metronome.events, moments: moments.consumer, sounds: chosen, start: start,
            rates: (format.framesPerSecond, played.error, heard.error),
            clockStandardError: hypot(played.standardError.value, heard.standardError.value).ppm,
            hidden: hidden)
        var live = LiveLine()
        var output = StandardOutput()
        let isTerminal = output.isTerminal && !verification.json
        var status = ExitStatus.ok
        var loop = EventLoop()
        _ = (loop.watch(signals.descriptor), loop.watch(hearing.descriptor))
        let stateChange = loop.watch(playback.stateChangeDescriptor)
        while status == ExitStatus.ok {
            loop.wait(until: .now() + .milliseconds(100))
            let ended = try signals.status { () throws(OutputClosed) in
                try live.end(on: &output)
                SignalWatch.pause()
            }
            status = ended ?? status
            if loop.isReady(stateChange) { playback.acknowledgeStateChange() }
            let (out, back) = (playback.report(), capture.report())
            hearing.hear(out, back)
            if isTerminal { try live.draw(hearing.progress, on: &output) }
            if let failure = playback.failure ?? capture.failure {
                try live.end(on: &output)
                throw failure
            }
            if let last = out.clock.time(ofFrame: end - start), MonotonicTime.now() > last + latest { break }
        }
        let (out, back) = (playback.report(), capture.report())
        playback.stop()
        try live.erase(on: &output)
        let source = "\"\(format.device)\" heard by \"\(capture.format.device)\""
        // Clicks that were still on their way at the end are not lost.
        let safe = (out.clock.frame(at: .now()) ?? 0) - Int64(latest.inSeconds * Double(format.framesPerSecond))
        guard let report = hearing.report(source, out, back, until: min(end - start, max(0, safe))) else {
            guard status == ExitStatus.ok else { return status }
            throw CommandError(
                .device,
                "\"\(capture.format.device)\" does not hear \"\(format.device)\" (\(hearing.heardCount) clicks)",
                remedy: "turn it up, move the microphone to the loudspeaker, or choose another with --input")
        }
        try output.print(verification.json ? report.json : report.text)
        try output.flush()
        return status
    }
}

/// When a block was rendered, and its first frame.
struct RenderMoment: BitwiseCopyable, Sendable {
    var frame: Int64
    var time: MonotonicTime
}

/// The engine, which reports when each of its blocks was rendered.
struct TimedEngine: FrameRenderer, ~Copyable, Sendable {
    var engine: MetronomeEngine
    /// Frames of silence before the engine starts.
    let lead: Int64
    var moments: SPSCRing<RenderMoment>.Producer
    var next: Int64 = 0

    mutating func render(into frames: inout MutableSpan<Float>) {
        _ = moments.push(RenderMoment(frame: next, time: .now()))
        let silent = Int(max(0, min(Int64(frames.count), lead - next)))
        next += Int64(frames.count)
        for i in 0..<silent { frames[i] = 0 }
        guard silent < frames.count else { return }
        var rest = frames._mutatingExtracting(silent..<frames.count)
        engine.render(into: &rest)
    }
}
