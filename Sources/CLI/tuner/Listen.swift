internal import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration
import Synthesis
package import TerminalUI

/// `tuner`: listens to the microphone, recordings, or raw sound on standard input.
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
            Without FILE, tuner listens to the ALSA device `default`. On a terminal the display fills the screen, or \
            one line if the screen is small; in a pipe each reading is one line. Files may be WAV, FLAC, OGG or MP3; \
            `-` is raw sound on standard input.
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

    @Option(name: .long, help: ArgumentHelp("Show this view: \(TunerModel.View.names).", valueName: "name"))
    var view = TunerModel.View.needle

    @Flag(name: .long, help: "Show one line instead of the full display.")
    var line = false

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

    @Flag(name: .long, help: "Write one line for each note instead of each reading (files only).")
    var summary = false

    @Flag(name: [.short, .long], help: "Report the settings of the device and its dropouts on standard error.")
    var verbose = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if [json, csv, summary].filter(\.self).count > 1 {
            throw ValidationError("--json, --csv and --summary exclude each other.")
        }
        if summary && files.isEmpty { throw ValidationError("--summary needs a file.") }
        if tone != nil && !files.isEmpty { throw ValidationError("--tone cannot be used with files.") }
        try input.check(files)
    }

    var readingFormat: ReadingFormat { json ? .json : csv ? .csv : .plain }

    func perform(_ settings: Settings) throws -> Int32 {
        if listDevices || listPCMs { return try DeviceCalibration.listDevices(.capture, cards: listDevices) }
        if listInstruments { return try printLines(Self.instrumentRows(try settings.instruments)) }
        if listTemperaments { return try printLines(Self.temperamentRows) }
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        if files.isEmpty { return try LiveTuner(command: self, settings: settings).run(finder) }
        return try FileTuner(command: self).run(finder)
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
