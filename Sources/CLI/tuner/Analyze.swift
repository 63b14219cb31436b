import ArgumentParser
import AudioIO
import Configuration
import Intonation
import TerminalUI

/// `tuner analyze`: the intonation of whole recordings.
struct Analyze: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "analyze", abstract: "Summarize recordings: notes, intonation, drift, the A4 that fits best.",
        usage: "tuner analyze take.flac --plot take.svg")

    @Argument(help: ArgumentHelp("Recordings to summarize.", valueName: "file"))
    var files: [String]

    @Option(
        name: .long, help: ArgumentHelp("Draw pitch, intonation and spectrogram (one file only).", valueName: "out.svg")
    )
    var plot: String?

    @Flag(name: .long, help: "Write the summary of each file as a JSON object on one line.")
    var json = false

    @OptionGroup var input: InputOptions

    @OptionGroup(title: "Tuning") var tuningOptions: TuningOptions

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if plot != nil && files.count != 1 { throw ValidationError("--plot draws one recording: give one file.") }
        if let plot, !plot.lowercased().hasSuffix(".svg") {
            throw ValidationError("--plot draws SVG: \"\(plot)\" must end in .svg.")
        }
        if files.contains("-") { throw ValidationError("analyze cannot read standard input: give a file.") }
    }

    func perform(_ settings: Settings) throws -> Int32 {
        let finder = try tuningOptions.finder(instruments: try settings.instruments)
        var output = StandardOutput()
        return try TunerCommand.forEach(files) { file in
            var take = try Take(reading: file, input: input, tuning: tuningOptions, finder: finder)
            if tuningOptions.learnsReference, let a4 = take.bestA4 {
                var learnt = finder
                learnt.tuning = try tuningOptions.makeTuning(reference: ReferencePitch(a4: a4))
                take = take.renamed(by: learnt)
            }
            try output.print(json ? take.json + "\n" : take.text)
            if let plot {
                let spectrogram = try Spectrogram(path: file, input: input, tuning: tuningOptions)
                let picture = TakePlot(take: take, spectrogram: spectrogram.picture)
                try SmallFile.write(Array(picture.svg.utf8), to: plot)
            }
            try output.flush()
            return nil
        }
    }
}
