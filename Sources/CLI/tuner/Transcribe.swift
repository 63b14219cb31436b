import ArgumentParser
import AudioIO
import Configuration
import Intonation
import Pitch
import TerminalUI
import Transcription
internal import TunerUI

/// `tuner transcribe`: writes down the notes of a melody.
struct Transcribe: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe", abstract: "Write down the notes of a melody: a table, MIDI or a score.",
        usage: """
            tuner transcribe take.flac
            tuner transcribe take.flac --midi take.mid --bend
            tuner transcribe take.flac --musicxml take.musicxml --tempo 97 --meter 3/4
            tuner transcribe --json | jq .note
            """,
        discussion: """
            One note sounds at a time: a voice, a wind or bowed instrument, a melody on strings or keys. Without FILE it \
            listens to the microphone until Ctrl-C or --for. Notes that are struck again or slurred are notes of their own; \
            glides and vibrato are not. The score begins with the first note on the first beat of a bar, or with an --upbeat; its \
            beats are those that are heard, also after a sudden change of the tempo, or those of --tempo.
            """)

    @Argument(help: ArgumentHelp("Recordings to read, or - for raw sound on standard input.", valueName: "file"))
    var files: [String] = []

    @Option(name: [.customShort("D"), .long], help: "Listen to this ALSA device.")
    var device = "default"

    @Flag(name: .long, help: "Write each note as a JSON object on one line.")
    var json = false

    @Flag(name: .long, help: "Write the notes as comma-separated values.")
    var csv = false

    @Flag(name: .long, help: "Also write when a note begins, is corrected or turns out to be none.")
    var events = false

    @OptionGroup(title: "Score") var score: ScoreOptions

    @OptionGroup var input: InputOptions

    @OptionGroup(title: "Tuning") var tuningOptions: TuningOptions

    @Flag(name: [.short, .long], help: "Report the settings of the device and its dropouts.")
    var verbose = false

    @OptionGroup(title: "Configuration") var configurationFile: ConfigurationOption

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv exclude each other.") }
        if tuningOptions.learnsReference {
            throw ValidationError("transcribe cannot learn A4: give it in hertz, as in --a4 442.")
        }
        if score.isWanted && files.count > 1 {
            throw ValidationError("--midi and --musicxml write one melody: give one file.")
        }
        if input.method != .harmonic {
            throw ValidationError("transcribe has a pitch detector of its own: leave out --method.")
        }
        try input.check(files)
    }

    var noteFormat: NoteFormat { json ? .json : csv ? .csv : .plain }

    func perform(_ settings: Settings) throws -> Int32 {
        var finder = try tuningOptions.finder(instruments: try settings.instruments)
        // All notes count, not only those of the strings.
        (finder.strings, finder.lockedString) = (nil, nil)
        try score.checkFiles()
        var output = StandardOutput()
        if let header = NoteRow.header(noteFormat, hasEvents: events) { try output.print(header + "\n") }
        guard !files.isEmpty else { return try listen(finder, &output) }
        let signals = try SignalWatch()
        return try TunerCommand.forEach(files) { file in
            if let complaint = TunerCommand.complaint(aboutFile: file) { throw complaint }
            if noteFormat == .plain, files.count > 1 { try output.print(file.legible + "\n") }
            if file == "-" {
                let source = try FileTuner.standardInput(input)
                return try read(source, length: nil, name: "-", finder, signals, &output)
            }
            let source = try AudioFileReader(path: file, channel: input.channelChoice)
            let length = source.frameCount
            return try read(source, length: length, name: file, finder, signals, &output)
        }
    }

    /// Reads a recording to its end, or until a signal.
    private func read(
        _ source: consuming some SampleSource & ~Copyable, length: Int64?, name: String, _ finder: NoteFinder,
        _ signals: SignalWatch, _ output: inout StandardOutput
    ) throws -> Int32? {
        let clock = tuningOptions.clock(labelled: source.sampleRate)
        var segmenter = try TranscriptWriter.segmenter(
            self, name: name, clock: clock, .input, remedy: "convert it to a rate")
        var writer = try TranscriptWriter(
            self, name: name, finder: finder, clock: clock, reference: try tuningOptions.referencePitch(),
            isWhole: name != "-")
        var blocks = SampleBlocks(source)
        var progress = ProgressLine(
            name.split(separator: "/").last.map(String.init) ?? name, of: length.map { Double($0) })
        defer { progress.end() }
        if noteFormat == .plain { try output.print(NoteRow.tableHead + "\n") }
        var broken: AudioError?
        var status: Int32?
        while status == nil {
            var read: SampleRead?
            do throws(AudioError) {
                read = try blocks.next()
            } catch {
                // Write the notes that were read before the error.
                broken = error
                break
            }
            guard let read else { break }
            if read.followsGap {
                try writer.begin(at: blocks.frames - Int64(read.count), after: &segmenter, to: &output)
            }
            segmenter.process(blocks.samples)
            writer.hear(blocks.samples)
            try writer.take(from: &segmenter, to: &output)
            if name == "-" { try output.flush() }
            progress.advance(to: Double(blocks.frames))
            if input.isOver(at: clock.time(ofFrame: blocks.frames)) { break }
            status = try signals.status { () throws(OutputClosed) in
                try output.flush()
                SignalWatch.pause()
            }
        }
        progress.end()
        segmenter.finish()
        try writer.take(from: &segmenter, to: &output)
        try finish(&output, &writer, name: name)
        if let broken { throw broken }
        return status
    }

    /// Writes the files, and says where there was nothing to write down.
    func finish(_ output: inout StandardOutput, _ writer: inout TranscriptWriter, name: String) throws {
        try writer.finish(to: &output)
        if writer.count == 0, noteFormat == .plain { try output.print("  no note\n") }
        try output.flush()
        guard score.isWanted else { return }
        // The file's name without its ending.
        let file = name.split(separator: "/").last ?? ""
        let title = file.lastIndex(of: ".").map { file[..<$0] } ?? file
        try score.write(
            writer.notes, heard: writer.heard,
            title: title.isEmpty || title == "-" ? "Transcription" : String(title),
            transposition: writer.transposition)
        guard writer.count > writer.notes.count else { return }
        complain(
            "tuner", "only the first \(writer.notes.count) notes are in the file: transcribe a part of it with --for")
    }
}
