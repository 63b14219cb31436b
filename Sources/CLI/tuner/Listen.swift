internal import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration
package import Intonation
import Synthesis
internal import TerminalUI
internal import TunerUI

/// `tuner`: listens to the microphone, recordings, or raw sound on standard input.
struct Listen: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Listen to the microphone, or read recordings.",
        usage: """
            tuner -i guitar              tune a guitar by the microphone
            tuner take.flac solo.wav     read recordings
            tuner --strum take.flac      all strings of each strum in a recording
            arecord -t raw -f cd | tuner - -f cd --json | jq .cents
            """,
        discussion: """
            Without FILE, tuner listens to the ALSA device `default`. On a terminal the display fills the screen, or \
            one line if the screen is small; in a pipe each reading is one line. Files may be WAV, FLAC, OGG or MP3; \
            `-` is raw sound on standard input. The name of an instrument in place of a file, as in `tuner guitar`, is \
            short for --instrument.
            """)

    @Argument(help: ArgumentHelp("Recordings to read, or - for raw sound on standard input.", valueName: "file"))
    var files: [String] = []

    @Option(name: [.customShort("D"), .long], help: "Listen to this ALSA device.")
    var device = "default"

    @Flag(name: [.customShort("l"), .long], help: "List the sound cards that can record, and exit.")
    var listDevices = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List all ALSA devices by name, and exit.")
    var listPCMs = false

    @Flag(name: .long, help: "List the instruments and their tunings, and exit.")
    var listInstruments = false

    @Flag(name: .long, help: "List the temperaments, and exit.")
    var listTemperaments = false

    @OptionGroup var input: InputOptions

    @OptionGroup(title: "Tuning") var tuningOptions: TuningOptions

    @Flag(
        name: .long,
        help: "Tune all strings by a strum, one line for each in files and pipes. [a guitar's without --instrument]")
    var strum = false

    @Option(name: .long, help: ArgumentHelp("Show this view: \(TunerModel.View.names).", valueName: "name"))
    var view = TunerModel.View.needle

    @Flag(name: .long, help: "Show one line instead of the full display.")
    var line = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Let number and word follow the pitch: \(Response.names). steady and slow average a vibrato.",
            valueName: "speed"))
    var response = Response.steady

    @OptionGroup var toleranceOption: ToleranceOption

    @Option(name: .long, help: ArgumentHelp("Play this note while listening.", valueName: "note"))
    var tone: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Use this sound for --tone and the key t: \(ToneColor.names).", valueName: "color"))
    var color = ToneColor.organ

    @Option(name: .long, help: "Play tones on this ALSA device.")
    var toneDevice = "default"

    @Flag(name: .long, help: "Write each reading as a JSON object on one line.")
    var json = false

    @Flag(name: .long, help: "Write readings as comma-separated values.")
    var csv = false

    @Flag(
        name: .long,
        help: "Write one line for each note instead of each reading (files only); also with --json or --csv.")
    var summary = false

    @Flag(name: [.short, .long], help: "Report the settings of the device, its dropouts and mains hum.")
    var verbose = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if summary && files.isEmpty { throw ValidationError("--summary needs a file.") }
        if tone != nil && !files.isEmpty { throw ValidationError("--tone cannot be used with files.") }
        if strum && summary { throw ValidationError("--strum and --summary exclude each other.") }
        if strum && tuningOptions.string != nil {
            throw ValidationError("--strum tunes all strings: leave out --string.")
        }
        if strum && tuningOptions.learnsReference {
            throw ValidationError("--strum cannot learn A4: give it in hertz, as in --a4 442.")
        }
        if strum && view != .needle && !files.isEmpty {
            throw ValidationError("--strum writes lines for recordings: leave out --view.")
        }
        try input.check(files)
    }

    var readingFormat: ReadingFormat { json ? .json : csv ? .csv : .plain }
    var strumFormat: StrumFormat { json ? .json : csv ? .csv : .plain }
    var noteFormat: NoteFormat { json ? .json : csv ? .csv : .plain }
    var tolerance: Cents { toleranceOption.tolerance.map { $0.cents } ?? TuningVerdict.usualTolerance }

    func perform(_ settings: Settings) throws -> Int32 {
        if listDevices || listPCMs { return try DeviceCalibration.listDevices(.capture, cards: listDevices) }
        if listInstruments { return try printLines(Self.instrumentRows(try settings.instruments)) }
        if listTemperaments { return try printLines(Self.temperamentRows) }
        if let first = files.first, !SystemPath.exists(first),
            let complaint = TunerCommand.complaint(aboutSubcommand: first)
        {
            throw complaint
        }
        var meant = try namingInstrument(own: try settings.instruments)
        if strum, meant.tuningOptions.instrument == nil { meant.tuningOptions.instrument = Self.strummedInstrument }
        let finder = try meant.tuningOptions.finder(instruments: try settings.instruments)
        if meant.files.isEmpty { return try LiveTuner(command: meant, settings: settings).run(finder) }
        let others = try meant.tuningOptions.otherTunings(instruments: try settings.instruments)
        return try FileTuner(command: meant, others: others).run(finder)
    }

    /// What is strummed most.
    private static let strummedInstrument = "guitar"

    /// The sentence about mains hum, with --verbose; once for each frequency.
    ///
    /// - Parameter told: the frequencies that were told of; 0 for hum of unknown frequency.
    func sentence(about condition: SoundCondition?, told: inout Set<Double>) -> String? {
        guard verbose, case .hum(let frequency) = condition, told.insert(frequency?.value ?? 0).inserted
        else { return nil }
        let name = frequency.map { "mains hum at \(Int($0.value)) Hz" } ?? "a steady hum"
        return "\(name) is not shown as a note; turn, or move away from transformers and dimmers, to lower it"
    }

    /// The same command with `guitar` for `--instrument guitar`: a word that is no file and the name of an instrument.
    private func namingInstrument(own: [Instrument]) throws -> Listen {
        guard files.count == 1, tuningOptions.instrument == nil, !SystemPath.exists(files[0]),
            own.contains(where: { $0.name.lowercased() == files[0].lowercased() })
                || (try? Instrument(named: files[0])) != nil
        else { return self }
        var meant = self
        (meant.tuningOptions.instrument, meant.files) = (files[0], [])
        try meant.validate()
        return meant
    }

    /// Names, dates and sources in columns.
    private static var temperamentRows: [String] {
        let rows =
            Temperament.all.map { ($0.name, $0.date, $0.source) } + [
                ("19edo, 31edo, 13ed3, ...", "", "any equal division")
            ]
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        func column(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: width + 2 - text.count)
        }
        return rows.map { column($0.0, widths.0) + column($0.1, widths.1) + $0.2 }
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
}

extension TunerModel.View: ExpressibleByArgument {}
extension Response: ExpressibleByArgument {}
