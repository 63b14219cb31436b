import ALSABackend
import AudioIO
import Configuration
import DeviceCalibration
import Intonation
import Pitch
import TerminalUI

/// The tuner on a microphone: capture thread → ring → analysis thread → ring → the terminal's thread, which is this.
struct LiveTuner {
    let command: Listen
    let settings: Settings

    /// Listens until a key, a signal or the end of the output.
    func run(_ finder: NoteFinder) throws -> Int32 {
        let signals = try SignalWatch()
        let output = TunerOutput(command, unicode: terminalShowsUnicode(), hasStrings: finder.strings != nil)
        guard output.redraws else { return try listen(finder, signals, output) }
        return try runDisplay(finder, signals)
    }

    func open() throws -> CaptureStream {
        var request = StreamRequest.capture(device: command.device)
        request.sampleRate = command.input.rate
        request.channelCount = command.input.channels
        request.channel = command.input.channelChoice
        request.whenLost = .reopen
        let stream = try CaptureStream(request)
        if command.verbose { complain("tuner", "listening on \(stream.format.description)") }
        return stream
    }

    func clock(of format: StreamFormat) -> SampleClock {
        let measured = clockError(
            given: command.tuningOptions.clock, of: format, .capture, program: "tuner", isVerbose: command.verbose)
        return SampleClock(nominalRate: format.sampleRate, error: measured.error)
    }

    func analyse(_ stream: inout CaptureStream) throws -> AnalysisThread {
        guard let samples = stream.takeSamples() else { throw AudioError.noDevice(device: command.device) }
        let engine = try command.input.engine(
            for: command.device, sampleRate: stream.format.sampleRate, .device, remedy: "ask with -r for a rate")
        return try AnalysisThread(engine: engine, samples: samples)
    }

    /// Prints what went wrong in a stream, with --verbose.
    func tell(_ statistics: StreamStatistics) { if command.verbose { complain("tuner", statistics.summary) } }

    func openTone(_ frequency: Hertz) throws(AudioError) -> ToneStream {
        try ToneStream(
            [frequency], color: command.color, level: (-12).decibels, on: .playback(device: command.toneDevice),
            clock: nil)
    }
}
