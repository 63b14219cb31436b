import AudioIO
import Configuration
import Glibc
import Intonation
import TerminalUI
internal import TunerUI

/// The tuner on recordings and on standard input, faster than real time.
struct FileTuner {
    let command: Listen
    /// The tunings that the strings may be in, if the user has named none.
    let others: [StringTuning]

    /// Reads all files. If one cannot be read, it reports that and goes on with the next.
    ///
    /// - Returns: the exit status of the first that failed, or 0.
    func run(_ finder: NoteFinder) throws -> Int32 {
        let signals = try SignalWatch()
        var output = TunerOutput(command, unicode: terminalShowsUnicode(), hasStrings: finder.strings != nil)
        let status = try TunerCommand.forEach(command.files) { file in
            try read(file, to: &output, watching: signals, finder)
        } failed: {
            try output.wipe()
        }
        try output.end()
        return status
    }

    /// Whether descriptor 0 was open when the program started. A descriptor that the program itself opened is closed on
    /// `exec`.
    private static var hasStandardInput: Bool {
        let flags = fcntl(STDIN_FILENO, F_GETFD)
        return flags >= 0 && flags & FD_CLOEXEC == 0
    }

    /// Raw sound on standard input.
    static func standardInput(_ input: InputOptions) throws -> StandardInput {
        // It may be closed, or one of our own files by now.
        guard hasStandardInput else {
            throw AudioError.cannotRead(path: "-", reason: "standard input is closed")
        }
        let format = try RawPCMFormat(
            format: input.format, rate: input.rate.map { Int($0.value) }, channels: input.channels)
        return StandardInput(
            try RawPCMReader(fileDescriptor: STDIN_FILENO, format: format, channel: input.channelChoice))
    }

    /// Reads one file to its end.
    ///
    /// - Returns: the exit status, if a signal ended it early.
    private func read(
        _ file: String, to output: inout TunerOutput, watching signals: SignalWatch, _ finder: NoteFinder
    ) throws -> Int32? {
        if file == "-" {
            let source = try Self.standardInput(command.input)
            return try listen(to: source, name: "-", output: &output, signals: signals, finder)
        }
        if let complaint = TunerCommand.complaint(aboutFile: file) { throw complaint }
        var finder = finder
        if command.tuningOptions.learnsReference {
            // Read the file twice, the second time with the A4 that fits all of it. That pass also reports any error.
            var broken: AudioError?
            let take = try? Take(
                reading: file, input: command.input, tuning: command.tuningOptions, finder: finder,
                tolerance: command.tolerance, broken: &broken)
            if let a4 = take?.bestA4 {
                finder.tuning = try command.tuningOptions.makeTuning(reference: ReferencePitch(a4: a4))
            }
        }
        let source = try AudioFileReader(path: file, channel: command.input.channelChoice)
        let length = source.frameCount
        return try listen(to: source, frameCount: length, name: file, output: &output, signals: signals, finder)
    }

    private func listen(
        to source: consuming some SampleSource & ~Copyable, frameCount: Int64? = nil, name: String,
        output: inout TunerOutput, signals: SignalWatch, _ finder: NoteFinder
    ) throws -> Int32? {
        if command.strum {
            return try strums(
                of: source, frameCount: frameCount, name: name, output: &output, signals: signals, finder)
        }
        // Raw sound may be live: its readings do not wait.
        let ahead = name == "-" ? nil : StrumLookahead(finder, others: others, tolerance: command.tolerance)
        var recording = try Recording(
            source, frameCount: frameCount, name: name, input: command.input, tuning: command.tuningOptions,
            strums: ahead)
        let wantsSummary = command.summary || output.redraws
        let isOneOfSeveral = command.files.count > 1
        var finder = finder
        var reference = try LearntReference(command.tuningOptions)
        var summary = NoteSummary(finder: finder)
        if wantsSummary, isOneOfSeveral, command.noteFormat == .plain { try output.print(name.legible) }
        // Readings on a terminal show by themselves that it goes on.
        let isSilent = command.summary || !output.isTerminal
        var progress = ProgressLine(
            name.split(separator: "/").last.map(String.init) ?? name,
            of: length(frameCount: recording.frameCount, clock: recording.clock))
        defer { progress.end() }
        var broken: AudioError?
        var isOver = false
        var toldHum: Set<Double> = []
        var found = FoundTuning()
        while !isOver {
            do throws(AudioError) {
                guard try recording.read() else { break }
            } catch {
                // Print the notes that were read before the error.
                broken = error
                break
            }
            while let note = recording.nextNote(finder) {
                if let tuning = recording.nextStrumTuning() {
                    var told = finder.strings
                    try tell(tuning, in: name, told: &told, output: &output)
                    if found.find(tuning, &finder) { summary.finder = finder }
                }
                if found.hear(note, &finder) { summary.finder = finder }
                if name == "-", reference.hear(note) {
                    finder.tuning = try command.tuningOptions.makeTuning(reference: reference.pitch)
                    summary.finder = finder
                }
                isOver = isOver || command.input.isOver(at: note.time)
                if let sentence = command.sentence(about: note.condition, told: &toldHum) {
                    try output.wipe()
                    complain("tuner", "\(name.legible): \(sentence)")
                }
                if wantsSummary { summary.add(note) }
                if !command.summary { try output.show(note, file: name, isOneOfSeveral: isOneOfSeveral) }
            }
            if isSilent { progress.advance(to: Double(recording.frames)) }
            if let ended = try show(&output, &progress, signals) { return ended }
        }
        progress.end()
        if wantsSummary { try tell(&summary, of: name, finder, on: &output) }
        if let broken { throw broken }
        return nil
    }

    /// Shows what the last block has brought, and obeys a signal.
    ///
    /// - Returns: the exit status, if one ended the program.
    func show(
        _ output: inout TunerOutput, _ progress: inout ProgressLine, _ signals: SignalWatch
    ) throws -> Int32? {
        try output.update()
        return try signals.status { () throws(OutputClosed) in
            progress.end()
            try output.end()
            SignalWatch.pause()
        }
    }

    /// How many frames are read; `nil` if that is not known.
    func length(frameCount: Int64?, clock: SampleClock) -> Double? {
        let end = command.input.duration.map { Double(clock.frame(at: $0)) } ?? .infinity
        let whole = min(end, frameCount.map { Double($0) } ?? .infinity)
        return whole.isFinite ? whole : nil
    }

    /// Prints the notes of a recording.
    private func tell(
        _ summary: inout NoteSummary, of name: String, _ finder: NoteFinder, on output: inout TunerOutput
    ) throws {
        try output.wipe()
        summary.finish()
        for entry in summary.entries {
            try output.print(command.noteFormat.line(entry, file: name, isOneOfSeveral: command.files.count > 1))
        }
        guard command.noteFormat == .plain else { return }
        if summary.entries.isEmpty { try output.print("         no steady note") }
        if command.tuningOptions.learnsReference, let a4 = finder.tuning.target(for: Note(midi: 69)) {
            try output.print("   A4 = " + fixedPoint(a4.frequency.value, decimals: 2) + " Hz, as heard")
        }
    }
}
