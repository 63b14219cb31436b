import ArgumentParser
import AudioIO
import Configuration
import Glibc
import Intonation
import PracticeLog
import TakeReports
import TerminalUI
import Transcription
internal import TunerUI

/// `tuner analyze`: the intonation of whole recordings, and the timing and dynamics of melodies.
struct Analyze: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze",
        abstract: "Summarize recordings: intonation by degree and bar, timing, vibrato, dynamics.",
        usage: """
            tuner analyze take.flac --plot take.svg
            tuner analyze take.flac --tempo 97 --meter 3/4 --notes
            tuner analyze concert.flac --from 1:30 --to 4:10 --csv
            """,
        discussion: """
            A melody is told by degree of the key, by beat and by bar: cents, vibrato, each note early or late, loudness. \
            Its beats are those that are heard, or those of --tempo. Other sounds are told note by note.
            """)

    @Argument(help: ArgumentHelp("Recordings to summarize.", valueName: "file"))
    var files: [String]

    @Option(
        name: .long, help: ArgumentHelp("Draw a picture to print (one file only).", valueName: "out.svg")
    )
    var plot: String?

    @Option(
        name: .long, help: ArgumentHelp("Begin at this time: 90, 90s, 1:30.", valueName: "time"),
        transform: Duration.readingPlace)
    var from: Duration?

    @Option(
        name: .long, help: ArgumentHelp("End at this time.", valueName: "time"), transform: Duration.reading)
    var to: Duration?

    @Flag(name: .long, help: "Write the summary of each file as a JSON object on one line.")
    var json = false

    @Flag(name: .long, help: "Write the intonation of notes, and strings of strums, as comma-separated values.")
    var csv = false

    @Flag(name: .long, help: "List each note of a melody: with --csv instead of the intonation of each pitch.")
    var notes = false

    @Flag(name: .long, help: "Add the intonation to the practice log; `metronome log` shows it.")
    var log = false

    @Option(name: .long, help: ArgumentHelp("Log it as practice of this piece.", valueName: "name"))
    var piece: String?

    @OptionGroup var toleranceOption: ToleranceOption

    @OptionGroup(title: "Beats of a melody") var grid: GridOptions

    @OptionGroup var input: InputOptions

    @OptionGroup(title: "Tuning") var tuningOptions: TuningOptions

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if plot != nil && files.count != 1 { throw ValidationError("--plot draws one recording: give one file.") }
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
        if grid.tempo != nil && grid.around != nil {
            throw ValidationError("--around helps to find the beats: leave out --tempo.")
        }
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if files.contains("-") { throw ValidationError("analyze cannot read standard input: give a file.") }
        if let from, let to, to <= from { throw ValidationError("--to must be after --from.") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        if let plot { try SmallFile.checkWritable(plot) }
        let others = try tuningOptions.otherTunings(instruments: try settings.instruments)
        let part = RecordingPart(start: from ?? .zero, end: to)
        var output = StandardOutput()
        if csv {
            let header = notes ? MelodySummary.csvHeader : Take.csvHeader(strums: finder.strings != nil)
            try output.print(header + "\n")
        }
        return try TunerCommand.forEach(files) { file in
            if let complaint = TunerCommand.complaint(aboutFile: file) { throw complaint }
            var broken: AudioError?
            var (take, finder) = (
                try Take(
                    reading: file, part: part, input: input, tuning: tuningOptions, finder: finder,
                    tolerance: toleranceOption.tolerance.map { $0.cents } ?? TuningVerdict.usualTolerance,
                    others: others, broken: &broken), finder
            )
            if let broken, take.duration <= part.start { throw broken }
            guard take.duration > part.start || part.start == .zero else {
                throw CommandError(
                    .input, "\"\(file)\" ends before --from", remedy: "give a time within the recording")
            }
            if tuningOptions.learnsReference, let a4 = take.bestA4 {
                finder.tuning = try tuningOptions.makeTuning(reference: ReferencePitch(a4: a4))
                take = take.renamed(by: finder)
            }
            var melody = try melody(of: &take, file, part, finder)
            if tuningOptions.namesFollowKey, let key = melody?.key {
                finder.naming.key = key
                take = take.renamed(by: finder)
                melody = melody?.renamed(by: finder)
            }
            try output.print(text(of: take, melody, file: file))
            if let plot { try SmallFile.write(Array(try picture(of: take, melody, file, part).utf8), to: plot) }
            if log { try addToLog(take, file: file) }
            try output.flush()
            if let broken { throw broken }
            return nil
        }
    }

    /// The take as a melody; `nil` where it is none: strings that are tuned, strums, a few notes. The take learns which notes sway.
    private func melody(
        of take: inout Take, _ file: String, _ part: RecordingPart, _ finder: NoteFinder
    ) throws -> MelodySummary? {
        guard finder.strings == nil, !take.entries.isEmpty else { return nil }
        let hearing = try MelodyHearing(file, part: part, input: input, tuning: tuningOptions, grid: grid)
        take.swayingNotes = hearing.swayingNotes
        if hearing.isCut {
            complain(
                "tuner",
                "only the first \(MelodyHearing.mostNotes) notes of \"\(file.legible)\" are analyzed: take the rest with --from"
            )
        }
        let tonic = try tuningOptions.key.map { try tuningOptions.naming.pitchClass(named: $0) }
        let tolerance = toleranceOption.tolerance.map { $0.cents } ?? TakePlot.usualTolerance
        let melody = try hearing.melody(finder, tonic: tonic)
        if let melody, let grid = melody.grid, !grid.isGiven {
            grid.complain(melody.tones.map(\.start.inSeconds), guess: "beats and bars")
        }
        return melody.map {
            MelodySummary($0, tolerance: tolerance, isHinted: grid.around != nil, isKeyGiven: tonic != nil)
        }
    }

    private func text(of take: Take, _ melody: MelodySummary?, file: String) -> String {
        if json { return take.json(melody) + "\n" }
        guard csv else { return take.text(melody, listsNotes: notes) }
        return (notes ? melody?.csv(file: file) ?? [] : take.csv).map { $0 + "\n" }.joined()
    }

    private func picture(
        of take: Take, _ melody: MelodySummary?, _ file: String, _ part: RecordingPart
    ) throws -> String {
        if let melody { return MelodyPlot(take, melody).svg }
        let spectrogram = try Spectrogram(path: file, part: part, input: input, tuning: tuningOptions)
        let tolerance = toleranceOption.tolerance.map { $0.cents } ?? TakePlot.usualTolerance
        return TakePlot(take: take, spectrogram: spectrogram.picture, tolerance: tolerance).svg
    }

    /// Adds the intonation of a take to the practice log, at the time of its analysis.
    private func addToLog(_ take: Take, file: String) throws {
        guard let intonation = take.intonation else {
            throw CommandError(.input, "\"\(file)\" has no steady note to log", remedy: "check it with `tuner \(file)`")
        }
        var session = PracticeSession(program: "tuner", began: Int64(time(nil)), plan: "analyze \(file)", piece: piece)
        session.length = take.duration - (from ?? .zero)
        session.intonation = PracticeSession.Intonation(mean: intonation.mean, spread: intonation.spread)
        _ = try PracticeLog().add(session)
    }
}
