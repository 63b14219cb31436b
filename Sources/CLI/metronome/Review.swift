internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// `metronome review`: how a recorded player kept time.
struct Review: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Report how a recorded player kept time: early, late, rushing, by beat and by muted bar.",
        usage: """
            metronome review take.wav 120 --accent 4
            metronome review take.wav 92 --sub 8th --swing 2:1 --plot take.svg
            metronome review take.wav song.map --first-beat 2.5 --csv > notes.csv
            """,
        discussion: """
            The tempo, the map and the options of the beat are those of the metronome. If its click is in the recording, \
            it is taken out, and lateness is relative to the click. Otherwise the grid is laid where the notes fit best, \
            and the report tells spread and tendency; --first-beat says where the grid begins and makes lateness \
            absolute.
            """)

    @Argument(help: ArgumentHelp("The recording: WAV, FLAC, OGG or MP3.", valueName: "file"))
    var file: String

    @Argument(help: ArgumentHelp("The tempo as it was played, or the tempo map.", valueName: "tempo"))
    var typed: [String] = []

    @OptionGroup(title: "Beat") var beat: BeatOptions
    @OptionGroup(title: "Practice") var practice: PracticeOptions

    @Option(
        help: ArgumentHelp(
            "Take the clicks of this sound out of the recording: a sound of the metronome, auto for whichever is in it, or "
                + "none.", valueName: "SOUND"))
    var click = "auto"

    @Option(
        name: .customLong("first-beat"),
        help: ArgumentHelp("Begin the plan at this time of the recording, in seconds.", valueName: "TIME"))
    var firstBeat: Double?

    @Option(name: .long, help: "Use one channel only, counted from 1, instead of the mean of all.")
    var channel: Int?

    @Flag(help: "Report each note as a JSON object on a line of its own, and then the summary.")
    var json = false

    @Flag(help: "Report each note as a line of CSV.")
    var csv = false

    @Option(help: ArgumentHelp("Draw lateness, histograms and dynamics.", valueName: "FILE.svg"))
    var plot: String?

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
        if let firstBeat, !firstBeat.isFinite || abs(firstBeat) > 1e6 {
            throw ValidationError("--first-beat is a time in seconds, such as 2.5.")
        }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        if let plot { try SmallFile.checkWritable(plot) }
        let sounds = try ReviewSound.read(click)
        var command = try MetronomeCommand.parse([])
        (command.typed, command.beat, command.practice) = (typed, beat, practice)
        let grid = try command.readPlan()
        let take = try ReviewedTake(
            file, channel: channel.map { .number($0) } ?? .mean, grid: grid, command: command, sounds: sounds,
            firstBeat: firstBeat)
        var summary = PlayingSummary(
            report: take.report, isAbsolute: take.isAbsolute, sampleRate: take.sampleRate, start: take.start)
        summary.whyNotAbsolute = "the grid was laid by the notes themselves"
        if let plot {
            let picture = PlayingPlot(summary, title: file.split(separator: "/").last.map(String.init) ?? file)
            try SmallFile.write(Array(picture.svg.utf8), to: plot)
        }
        var output = StandardOutput()
        if csv { try output.print(lines: [PlayingSummary.csvHeader] + summary.report.notes.map(summary.csv)) }
        if json { try output.print(lines: summary.report.notes.map(summary.json) + [summary.json]) }
        if !csv && !json { try output.print(take.header + "\n" + summary.text) }
        try output.flush()
        if let broken = take.broken { throw broken }
        return ExitStatus.ok
    }
}
