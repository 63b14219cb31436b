internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Music
internal import Notation
internal import Rhythm
internal import Synthesis
internal import TerminalUI
internal import Timebase

/// `metronome verify`: how well the clicks of a recording kept time.
struct Verify: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Report how well the clicks of a recording kept time: drift, jitter, lost and extra clicks.",
        usage: "metronome verify take.wav 120",
        discussion: """
            Finds the clicks of any metronome, and those of this one by their waveform, to a hundredth of a sample. The \
            clock of the recording is the reference for drift. To check what this machine plays, see metronome 120 --verify.
            """)

    @Argument(help: ArgumentHelp("A recording: WAV, FLAC, OGG or MP3.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("The expected clicks per minute: 120, 97.3, 100/3.", valueName: "tempo"))
    var tempo: String

    @Option(name: .long, help: "Listen to this channel only, from 1. Otherwise: the mean of all.")
    var channel: Int?

    @Flag(name: .long, help: "Write a JSON object.")
    var json = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let beats = try parsedTempo()
        var reader = try AudioFileReader(path: file, channel: channel.map { .number($0) } ?? .mean)
        let rate = reader.sampleRate.value
        guard rate >= 1_000 else { throw noSuchClicks([]) }
        let interval = Duration.seconds(60 / beats)
        // What comes sooner is the same click.
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
                // The report covers what was read before the error.
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

    private func parsedTempo() throws(CommandError) -> Double {
        do throws(NotationError) {
            return try Tempo(parsing: tempo).beatsPerMinute.value
        } catch {
            throw CommandError("tempo '\(tempo)': \(error.message)", exitStatus: ExitStatus.usage)
        }
    }

    private func noSuchClicks(_ heard: [Duration]) -> CommandError {
        guard let interval = ClickTiming.interval(of: heard) else {
            return CommandError(
                "\"\(file)\" has no three clicks that are \(tempo) a minute: check the tempo, or name another recording",
                exitStatus: ExitStatus.noInput)
        }
        return CommandError(
            "the clicks of \"\(file)\" are \(fixedPoint(60 / interval.inSeconds, decimals: 2)) a minute and not \(tempo): check "
                + "the tempo", exitStatus: ExitStatus.noInput)
    }
}
