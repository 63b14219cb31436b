internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import Notation
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// `metronome tempo`: the beats and the tempo of a recording, or of what a microphone hears.
struct FindTempo: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "tempo",
        abstract:
            "Find the tempo and the beats of a recording, or of what a microphone hears, and how steady they are.",
        usage: """
            metronome tempo take.wav
            metronome tempo take.flac --around 90 --plot take.svg --render clicks.wav
            metronome tempo --around 120 --json
            """,
        discussion: """
            It tells the tempo over time, whether it drifts or sways, and how much the beats scatter. The tempo's standard error \
            counts both: how far four beats stray from the drift, and how far a beat is off its place. Notes alone do not say whether \
            160 is not 80: --around names about how fast the music begins. In a recording, and in the \
            summary of what was heard, the beats before the tempo is known are counted back from those after. Without a file it listens to the microphone, \
            with one line on a terminal and a line per beat in a pipe, until Ctrl-C.
            """)

    @Argument(
        help: ArgumentHelp("The recording: WAV, FLAC, OGG or MP3. [the microphone]", valueName: "file"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The music begins within a quarter of this tempo: 30 to 320 beats per minute.", valueName: "TEMPO"))
    var around: String?

    @Option(name: .long, help: "Use one channel only, counted from 1, instead of the mean of all.")
    var channel: Int?

    @Option(help: "Listen to this ALSA device. [default]")
    var input: String?

    @Flag(help: "Report each beat as a JSON object on a line of its own, and then the summary.")
    var json = false

    @Flag(help: "Report each beat as a line of CSV.")
    var csv = false

    @Option(help: ArgumentHelp("Draw the tempo and the scatter of the beats.", valueName: "FILE.svg"))
    var plot: String?

    @Option(
        help: ArgumentHelp(
            "Write a copy of the recording, mono, with a click on each beat: .wav, .flac, .ogg, .mp3, or - for a WAV stream.",
            valueName: "FILE"))
    var render: String?

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if let channel, channel < 1 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
        if let render, render != "-", AudioFileFormat(path: render) == nil {
            throw ValidationError("--render writes sound: \"\(render)\" must end in .wav, .flac, .ogg or .mp3.")
        }
        if render == "-" && (json || csv) { throw ValidationError("--render - and a table exclude each other.") }
        // Not from a settings file: a recording displaces that.
        if file != nil, input != nil {
            throw ValidationError("--input is the microphone, and a recording is named: leave one of them out.")
        }
        if file == nil {
            if render != nil { throw ValidationError("--render needs a recording: name a file.") }
            if channel != nil { throw ValidationError("--channel is one of a recording: name a file.") }
        }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let hint = try hint()
        for output in [render, plot] { if let output, output != "-" { try SmallFile.checkWritable(output) } }
        guard let file else { return try listen(around: hint) }
        for (option, output) in [("--render", render), ("--plot", plot)] {
            guard let output, isSameFile(file, output) else { continue }
            throw CommandError(
                .usage, "\(option) would replace the recording \"\(file)\" itself", remedy: "name another file")
        }
        let take = try TempoTake(file, channel: channel.map { .number($0) } ?? .mean, around: hint)
        let summary = TempoSummary(report: take.report, isHinted: hint != nil)
        try draw(take.report, title: file.split(separator: "/").last.map(String.init) ?? file)
        if let render { try take.writeCopy(to: render) }
        var output = StandardOutput()
        if csv { try output.print(lines: [TempoSummary.csvHeader] + take.report.beats.map(summary.csv)) }
        if json { try output.print(lines: take.report.beats.map(summary.json) + [summary.json]) }
        if !csv && !json && render != "-" {
            let length = fixedPoint(take.length, decimals: 1)
            try output.print("\(file.legible): \(length) s\n" + summary.text)
        }
        try output.flush()
        if let broken = take.broken { throw broken }
        return ExitStatus.ok
    }

    /// Writes the picture of `--plot`.
    func draw(_ report: TempoReport, title: String) throws {
        guard let plot else { return }
        try SmallFile.write(Array(TempoPlot(report, title: title).svg.utf8), to: plot)
    }

    private func hint() throws -> Tempo? {
        guard let around else { return nil }
        guard let tempo = try read("--around", around, Tempo.init(spoken:)) else { return nil }
        guard TempoTracker.hints.contains(tempo.beatsPerMinute.value) else {
            throw CommandError(
                .usage, "--around '\(around)' is not a tempo that can be followed",
                remedy: "use 30 to 320 beats per minute")
        }
        return tempo
    }
}
