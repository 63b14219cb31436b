internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Notation
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// `metronome verify`: reports how well the clicks of a recording keep time.
struct Verify: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Report how well the clicks of a recording keep time: drift, jitter, lost and extra clicks.",
        usage: "metronome verify take.wav 120",
        discussion: """
            It finds the clicks of any metronome, and locates those of this one by their waveform, to a hundredth of a \
            sample. Drift is relative to the clock of the recorder. To check what this machine plays, use metronome \
            120 --verify.
            """)

    @Argument(help: ArgumentHelp("The recording: WAV, FLAC, OGG or MP3.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("The tempo in clicks per minute: 120, 97.3, 100/3.", valueName: "tempo"))
    var tempo: String

    @Option(name: .long, help: "Use one channel only, counted from 1, instead of the mean of all.")
    var channel: Int?

    @Flag(name: .long, help: "Report as a JSON object.")
    var json = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        guard let beats = try read("tempo", tempo, Tempo.init(parsing:))?.beatsPerMinute.value else {
            return ExitStatus.ok
        }
        var reader = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
        let rate = reader.sampleRate.value
        guard rate >= 1_000 else { throw noSuchClicks([]) }
        let interval = Duration.seconds(60 / beats)
        // Onsets within a quarter of the interval, or 50 ms, belong to the same click.
        var listener = ClickListener(
            sampleRate: rate.hertz, knowing: ClickVoice.all.map(ClickSound.voice),
            spacing: min(.milliseconds(50), interval / 4))
        var heard: [Duration] = []
        var block = [Float](repeating: 0, count: 65_536)
        var broken: AudioError?
        reading: while true {
            do throws(AudioError) {
                var span = block.mutableSpan
                let read = try reader.read(into: &span)
                if read.isEnd { break reading }
                heard += listener.process(block.span.extracting(first: read.count)).map { .seconds($0.position / rate) }
            } catch {
                // Report what was read, then the error.
                broken = error
                break
            }
        }
        heard += listener.finish().map { .seconds($0.position / rate) }
        guard let timing = ClickTiming(heard: heard, interval: interval), timing.isCredible else {
            if let broken { throw broken }
            throw noSuchClicks(heard)
        }
        let report = TimingReport(
            source: file, tempo: beats, length: (heard.last ?? .zero) - (heard.first ?? .zero), timing: timing,
            lost: timing.lost)
        var output = StandardOutput()
        try output.print(json ? report.json : report.text)
        try output.flush()
        if let broken { throw broken }
        return ExitStatus.ok
    }

    private func noSuchClicks(_ heard: [Duration]) -> CommandError {
        guard let interval = ClickTiming.interval(of: heard) else {
            return CommandError(
                .input, "\"\(file)\" has fewer than three clicks at \(tempo) per minute",
                remedy: "check the tempo, or name another recording")
        }
        return CommandError(
            .input,
            "\"\(file)\" has \(fixedPoint(60 / interval.inSeconds, decimals: 2)) clicks per minute, not \(tempo)",
            remedy: "check the tempo")
    }
}
