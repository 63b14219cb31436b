import ALSABackend
import ArgumentParser
import AudioIO
import Music
import Pitch
import TerminalUI

/// The command line of the tuner; what each way of running does is in the files beside it.
struct TunerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tuner",
        abstract: "Tells the note you play and how many cents it is off.",
        usage: """
            tuner                        listen to the microphone
            tuner take.flac solo.wav     read recordings
            arecord -t raw -f cd | tuner - -f cd --json | jq .cents
            """,
        discussion: """
            Without FILE it listens on the ALSA device `default`. On a terminal one line is redrawn in place; in a \
            pipe each reading is a line of its own. Files may be WAV, FLAC, OGG or MP3; `-` is raw sound on \
            standard input.
            """,
        version: "0.1.0")

    @Argument(help: ArgumentHelp("Recordings to read, or - for raw sound on standard input.", valueName: "file"))
    var files: [String] = []

    @Option(name: [.customShort("D"), .long], help: "The ALSA device to listen on.")
    var device = "default"

    @Flag(name: [.customShort("l"), .long], help: "List the sound cards that can record, and end.")
    var listDevices = false

    @Flag(name: [.customShort("L"), .customLong("list-pcms")], help: "List all ALSA devices by name, and end.")
    var listPCMs = false

    @Option(
        name: [.short, .long], help: "Sample rate in Hz (kHz below 300). Default: the device's own; for -, 48000.")
    var rate: Int?

    @Option(name: [.short, .long], help: "Number of channels. Live: what the device gives; -: 1.")
    var channels: Int?

    @Option(name: .long, help: "Listen to this channel only, from 1. Otherwise: the mean of all.")
    var channel: Int?

    @Option(name: [.short, .long], help: "Sample format of -, as arecord spells it: S16_LE, FLOAT_LE, cd, dat, ...")
    var format: String?

    @Option(name: [.short, .long], help: "Stop after this many seconds of sound.")
    var duration: Double?

    @Option(name: .customLong("a4"), help: "The frequency of A4 in Hz, 300 to 600.")
    var a4 = 440.0

    @Option(name: .long, help: "How the pitch is measured: \(methodNames).", transform: Self.method(named:))
    var method = PitchMethod.harmonic

    @Flag(name: .long, help: "Write each reading as a JSON object on a line.")
    var json = false

    @Flag(name: .long, help: "Files: one line for each note instead of one for each reading.")
    var summary = false

    @Flag(name: [.short, .long], help: "Tell on standard error what the device granted and what went wrong.")
    var verbose = false

    func validate() throws {
        guard a4.isFinite, a4 >= 300, a4 <= 600 else {
            throw ValidationError("--a4 must lie between 300 and 600 Hz, not \(a4).")
        }
        if let duration, !(duration > 0 && duration.isFinite) {
            throw ValidationError("--duration must be above 0 seconds, not \(duration).")
        }
        if let rate, rate <= 0 { throw ValidationError("--rate must be above 0, not \(rate).") }
        if let channels, channels <= 0 { throw ValidationError("--channels must be 1 or more, not \(channels).") }
        if let channel, channel <= 0 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
        if json && summary { throw ValidationError("--json and --summary exclude each other.") }
        if summary && files.isEmpty { throw ValidationError("--summary is for files: name one.") }
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if format != nil && !files.contains("-") {
            throw ValidationError("--format tells the format of raw standard input: add - to the command.")
        }
    }

    /// The A4 that was asked for.
    var reference: ReferencePitch { ReferencePitch(a4: a4.hertz) }

    /// The channel that was asked for.
    var channelChoice: ChannelChoice { channel.map { .number($0) } ?? .mean }

    /// Whether a reading lies behind the end that was asked for.
    func isOver(at seconds: Double) -> Bool { duration.map { seconds >= $0 } ?? false }

    /// How readings are written where no terminal redraws them.
    var readingFormat: ReadingFormat { json ? .json : .plain }

    private static var methodNames: String { PitchMethod.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func method(named name: String) throws -> PitchMethod {
        guard let method = PitchMethod(rawValue: name) else {
            throw ValidationError("There is no method \"\(name)\": choose one of \(methodNames).")
        }
        return method
    }

    /// What is wrong and what to do next, and the exit status for it.
    static func explain(_ error: any Error) -> (message: String, status: Int32) {
        switch error {
        case let error as AudioError: (error.message, error.exitStatus)
        case let error as CommandError: (error.message, error.exitStatus)
        default: (message(for: error) + " (`tuner --help` tells what there is)", ExitStatus.usage)
        }
    }

    /// Does what was asked; returns the exit status.
    func perform() throws -> Int32 {
        if listDevices || listPCMs { return try printDevices() }
        if files.isEmpty { return try LiveTuner(command: self).run() }
        return try FileTuner(command: self).run()
    }

    private func printDevices() throws -> Int32 {
        var output = StandardOutput()
        let rows =
            listDevices
            ? SoundDevices.cards(.capture).map(\.description) : SoundDevices.all(.capture).map(\.description)
        if rows.isEmpty {
            throw AudioError.noDevice(device: device)
        }
        for row in rows { try output.print(row + "\n") }
        try output.flush()
        return ExitStatus.ok
    }
}
