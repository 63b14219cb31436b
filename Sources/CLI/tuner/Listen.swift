import ALSABackend
public import ArgumentParser
import AudioIO
import Configuration
import Intonation
import Music
import Pitch
import Synthesis
public import TerminalUI
import TunerEngine

/// `tuner`: the microphone, recordings, or raw sound on standard input.
struct Listen: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Listen to the microphone, or read recordings.",
        usage: """
            tuner                        listen to the microphone
            tuner take.flac solo.wav     read recordings
            arecord -t raw -f cd | tuner - -f cd --json | jq .cents
            """,
        discussion: """
            Without FILE it listens on the ALSA device `default`. On a terminal the display fills the screen, or is one \
            line where there is little room; in a pipe each reading is a line of its own. Files may be WAV, FLAC, OGG \
            or MP3; `-` is raw sound on standard input.
            """)

    @Argument(help: ArgumentHelp("Recordings to read, or - for raw sound on standard input.", valueName: "file"))
    var files: [String] = []

    @Option(name: [.customShort("D"), .long], help: "The ALSA device to listen on.")
    var device = "default"

    @Flag(name: [.customShort("l"), .long], help: "List the sound cards that can record, and end.")
    var listDevices = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List all ALSA devices by name, and end.")
    var listPCMs = false

    @Flag(name: .long, help: "List the instruments and their tunings, and end.")
    var listInstruments = false

    @Flag(name: .long, help: "List the temperaments, and end.")
    var listTemperaments = false

    @OptionGroup var input: InputOptions

    @OptionGroup(title: "Tuning")
    var tuningOptions: TuningOptions

    @Option(name: .long, help: ArgumentHelp("The display: needle, strobe or trail.", valueName: "name"))
    var view = TunerModel.View.needle

    @Flag(name: .long, help: "One line, redrawn in place, instead of the full display.")
    var line = false

    @Option(name: .long, help: ArgumentHelp("Sound this note while listening.", valueName: "note"))
    var tone: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The sound of --tone and the key t: sine, organ or plucked.", valueName: "color"))
    var color = ToneColor.organ

    @Option(name: .long, help: "The ALSA device that plays tones.")
    var toneDevice = "default"

    @Flag(name: .long, help: "Write each reading as a JSON object on a line.")
    var json = false

    @Flag(name: .long, help: "Write readings as comma-separated values.")
    var csv = false

    @Flag(name: .long, help: "Files: one line for each note instead of one for each reading.")
    var summary = false

    @Flag(name: [.short, .long], help: "Tell on standard error what the device granted and what went wrong.")
    var verbose = false

    @OptionGroup(title: "Configuration")
    var configurationFile: ConfigurationOption

    func validate() throws {
        if [json, csv, summary].filter(\.self).count > 1 {
            throw ValidationError("--json, --csv and --summary exclude each other.")
        }
        if summary && files.isEmpty { throw ValidationError("--summary is for files: name one.") }
        if tone != nil && !files.isEmpty { throw ValidationError("--tone is for listening live: leave the files out.") }
        try input.check(files)
    }

    /// How readings are written where no terminal redraws them.
    var readingFormat: ReadingFormat { json ? .json : csv ? .csv : .plain }

    /// Does what was asked; returns the exit status.
    func perform(_ settings: Settings) throws -> Int32 {
        if listDevices || listPCMs { return try printDevices() }
        if listInstruments { return try printLines(Self.instrumentRows(try settings.instruments)) }
        if listTemperaments {
            return try printLines(Temperament.all.map(\.name) + ["19edo, 31edo, 13ed3, ... (any equal division)"])
        }
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        if files.isEmpty { return try LiveTuner(command: self, settings: settings).run(finder) }
        return try FileTuner(command: self).run(finder)
    }

    private static func instrumentRows(_ own: [Instrument]) -> [String] {
        (own + Instrument.all).flatMap { instrument in
            [instrument.name]
                + instrument.tunings.map { tuning in
                    let strings = tuning.courses.map { $0.map { "\($0)" }.joined(separator: "/") }
                    let some = strings.count > 12 ? Array(strings.prefix(12)) + ["..."] : strings
                    return "    \(tuning.name): \(some.joined(separator: " "))"
                }
        }
    }

    private func printDevices() throws -> Int32 {
        let rows =
            listDevices
            ? SoundDevices.list(.capture) : SoundDevices.all(.capture).map(\.description)
        guard !rows.isEmpty else { throw CommandError.nothingToList(cards: listDevices, that: "record") }
        return try printLines(rows)
    }

    private func printLines(_ rows: [String]) throws -> Int32 {
        var output = StandardOutput()
        for row in rows { try output.print(row + "\n") }
        try output.flush()
        return ExitStatus.ok
    }
}

extension TunerModel.View: ExpressibleByArgument {}

/// Where sound comes from and in which shape.
struct InputOptions: ParsableArguments {
    @Option(
        name: [.short, .long], help: "Sample rate in Hz (kHz below 300). Default: the device's own; for -, 48000.")
    var rate: Int?

    @Option(name: [.short, .long], help: "Number of channels. Live: what the device gives; -: 1.")
    var channels: Int?

    @Option(name: .long, help: "Listen to this channel only, from 1. Otherwise: the mean of all.")
    var channel: Int?

    @Option(name: [.short, .long], help: "Sample format of -, as arecord spells it: S16_LE, FLOAT_LE, cd, dat, ...")
    var format: String?

    @Option(
        name: [.short, .long, .customLong("for")],
        help: ArgumentHelp("Stop after so much sound: 90, 90s, 10m, 2:30.", valueName: "time"),
        transform: Duration.reading)
    var duration: Duration?

    @Option(name: .long, help: "How the pitch is measured: \(methodNames).", transform: Self.method(named:))
    var method = PitchMethod.harmonic

    func validate() throws {
        if let rate, rate <= 0 || rate > 768_000 {
            throw ValidationError("--rate counts frames per second, such as 48000; it cannot be \(rate).")
        }
        if let channels, channels <= 0 { throw ValidationError("--channels must be 1 or more, not \(channels).") }
        if let channel, channel <= 0 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    /// Checks what depends on the files.
    func check(_ files: [String]) throws {
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if format != nil && !files.contains("-") {
            throw ValidationError("--format tells the format of raw standard input: add - to the command.")
        }
    }

    /// The channel that was asked for.
    var channelChoice: ChannelChoice { channel.map { .number($0) } ?? .mean }

    /// Whether a reading lies behind the end that was asked for.
    func isOver(at time: Duration) -> Bool { duration.map { time >= $0 } ?? false }

    /// An engine for a recording.
    func engine(for name: String, sampleRate: Hertz) throws(CommandError) -> TunerEngine {
        do throws(PitchError) {
            return try TunerEngine(sampleRate: sampleRate, method: method)
        } catch {
            throw CommandError(
                "\"\(name)\" runs at \(Int(sampleRate.value)) Hz",
                remedy: "convert it to a rate from 8000 to 192000 Hz", exitStatus: ExitStatus.noInput)
        }
    }

    private static var methodNames: String { PitchMethod.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func method(named name: String) throws -> PitchMethod {
        guard let method = PitchMethod(rawValue: name) else {
            throw ValidationError("There is no method \"\(name)\": choose one of \(methodNames).")
        }
        return method
    }
}
