import AudioIO
import Configuration
import Intonation
import Strum
import TerminalUI
internal import TunerUI

/// `--strum` on recordings and on standard input.
extension FileTuner {
    /// Prints the strings of each strum when it has been measured to its end.
    ///
    /// - Returns: the exit status, if a signal ended it early.
    func strums(
        of source: consuming some SampleSource & ~Copyable, frameCount: Int64?, name: String,
        output: inout TunerOutput, signals: SignalWatch, _ finder: NoteFinder
    ) throws -> Int32? {
        var recording = try StrumRecording(
            source, strings: try command.strummedStrings(finder, others: others), name: name,
            tuning: command.tuningOptions)
        var printer = StrumPrinter(file: name, isOneOfSeveral: command.files.count > 1)
        // Lines on a terminal show by themselves that it goes on.
        let isSilent = !output.isTerminal
        var progress = ProgressLine(
            name.split(separator: "/").last.map(String.init) ?? name,
            of: length(frameCount: frameCount, clock: recording.clock))
        defer { progress.end() }
        var broken: AudioError?
        var told = finder.strings
        while !command.input.isOver(at: recording.clock.time(ofFrame: recording.frames)) {
            do throws(AudioError) {
                guard try recording.read() else { break }
            } catch {
                // Print the strums before the error.
                broken = error
                break
            }
            while let picture = recording.nextStrum(finder, tolerance: command.tolerance, isExpected: true) {
                try printer.hear(picture, on: &output)
                if picture.isStrum { try tell(picture.tuning, in: name, told: &told, output: &output) }
            }
            if isSilent { progress.advance(to: Double(recording.frames)) }
            if let ended = try show(&output, &progress, signals) { return ended }
        }
        progress.end()
        try printer.finish(on: &output)
        if printer.count == 0, broken == nil {
            if command.strumFormat == .plain {
                let named = command.files.count > 1 ? name.legible + "  " : ""
                try output.print(named + "         no strum")
            }
            try output.wipe()
            complain("tuner", "\(name.legible) has no strum of \(stringNames(finder)): \(strumRemedy)")
        }
        if let broken { throw broken }
        return nil
    }

    /// Says in which tuning a strum was found, if it is another one than before.
    func tell(
        _ tuning: StringTuning?, in file: String, told: inout StringTuning?, output: inout TunerOutput
    ) throws {
        guard let tuning, let before = told, before.strings != tuning.strings else { return }
        told = tuning
        try output.wipe()
        complain(
            "tuner",
            "\(file.legible) has strums in \(tuning.name): if that is how the strings are tuned, "
                + "say \(TuningOptions.option(for: tuning))")
    }

    /// The strings that a strum was looked for with.
    private func stringNames(_ finder: NoteFinder) -> String {
        (finder.strings?.strings ?? []).map { finder.naming.name(of: $0) }.joined(separator: " ")
    }

    /// What helps where no strum was found.
    private var strumRemedy: String {
        "strike all strings within half a second, and name other strings with -i or --tuning"
    }
}

extension Listen {
    /// The strings for `--strum`.
    ///
    /// - Parameter others: the tunings that they may be in.
    func strummedStrings(_ finder: NoteFinder, others: [StringTuning]) throws(CommandError) -> StrummedStrings {
        do throws(StrumError) {
            return try StrummedStrings(finder, others: others)
        } catch {
            throw CommandError(.usage, error, at: "--strum: ")
        }
    }
}

/// Prints each strum when it is complete, and counts them.
struct StrumPrinter {
    /// Where they come from; `nil` for a device.
    let file: String?
    let isOneOfSeveral: Bool
    private(set) var count = 0
    private var sequence = StrumSequence()

    init(file: String?, isOneOfSeveral: Bool = false) { (self.file, self.isOneOfSeveral) = (file, isOneOfSeveral) }

    /// Adds the next picture.
    mutating func hear(_ picture: TunedStrum, on output: inout TunerOutput) throws {
        try print(sequence.hear(picture), on: &output)
    }

    /// Prints the strum that was not complete at the end.
    mutating func finish(on output: inout TunerOutput) throws {
        try print([sequence.finish()].compactMap(\.self), on: &output)
    }

    private mutating func print(_ strums: [TunedStrum], on output: inout TunerOutput) throws {
        for strum in strums where strum.isStrum && strum.isMeasured {
            count += 1
            try output.show(strum, number: count, file: file, isOneOfSeveral: isOneOfSeveral)
        }
    }
}
