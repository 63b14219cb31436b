import ArgumentParser
import AudioIO
import Configuration
import DeviceCalibration
import Pitch
import TunerEngine

/// The source of the sound and its format.
struct InputOptions: ParsableArguments {
    @Option(
        name: [.short, .long], help: "\(rateHelp) [48000 for -, or the rate of the device]",
        transform: Hertz.rate)
    var rate: Hertz?

    @Option(name: [.short, .long], help: "Set the number of channels. [1 for -, or that of the device]")
    var channels: Int?

    @Option(name: .long, help: "Listen to this channel only, counted from 1. [the mean of all]")
    var channel: Int?

    @Option(name: [.short, .long], help: "Read - in a sample format of arecord: S16_LE, FLOAT_LE, cd, dat, ...")
    var format: String?

    @Option(
        name: [.short, .long, .customLong("for")],
        help: ArgumentHelp("Stop after this much sound: 90, 90s, 10m, 2:30.", valueName: "time"),
        transform: Duration.reading)
    var duration: Duration?

    @Option(name: .long, help: "Use this pitch detector: \(PitchMethod.names).", transform: Self.method(named:))
    var method = PitchMethod.harmonic

    func validate() throws {
        if let channels, channels <= 0 { throw ValidationError("--channels must be 1 or more, not \(channels).") }
        if let channel, channel <= 0 { throw ValidationError("--channel counts from 1; it cannot be \(channel).") }
    }

    /// Checks the options that depend on the files.
    func check(_ files: [String]) throws {
        if files.filter({ $0 == "-" }).count > 1 { throw ValidationError("Standard input (-) can be read only once.") }
        if format != nil && !files.contains("-") {
            throw ValidationError("--format applies to raw standard input: add - to the command.")
        }
    }

    var channelChoice: ChannelChoice { channel.map { .number($0) } ?? .mean }

    /// Whether a time is at or after the end that was asked for.
    func isOver(at time: Duration) -> Bool { duration.map { time >= $0 } ?? false }

    func engine(
        for name: String, sampleRate: Hertz, _ kind: CommandError.Kind = .input, remedy: String = "convert it to a rate"
    ) throws(CommandError) -> TunerEngine {
        do throws(PitchError) {
            return try TunerEngine(sampleRate: sampleRate, method: method)
        } catch {
            throw CommandError(
                kind, "\"\(name)\" runs at \(Int(sampleRate.value)) Hz", remedy: remedy + " from 8000 to 192000 Hz")
        }
    }

    private static func method(named name: String) throws -> PitchMethod {
        guard let method = PitchMethod(rawValue: name) else {
            throw ValidationError("There is no method \"\(name)\": choose one of \(PitchMethod.names).")
        }
        return method
    }
}
