public import ArgumentParser
internal import AudioIO
internal import TerminalUI

/// The options of `tuner calibrate` and `metronome calibrate`.
public struct CalibrationOptions: ParsableArguments {
    @Option(name: [.customShort("D"), .long], help: "The ALSA device to calibrate.")
    var device = "default"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Frames per second; below 300 it means thousands. [what the device has]", valueName: "hz"))
    var rate: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "End when the rate is known to this many ppm either way, 19 times out of 20 (two standard errors).",
            valueName: "ppm"))
    var precision = 1.0

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("End after this many seconds at the latest, with what is reached.", valueName: "seconds"))
    var duration: Double?

    @Flag(name: .long, help: "Write JSON: an object for each second, and one for the result.")
    var json = false

    @Flag(name: .long, help: "Tell what is known of all devices, and end.")
    var show = false

    @Flag(name: .long, help: "Forget what is known of this device, and end.")
    var forget = false

    /// The parser makes it.
    public init() {}

    /// Refuses what makes no sense.
    public func validate() throws {
        guard precision >= 0.001, precision <= 1_000 else {
            throw ValidationError("--precision goes from 0.001 to 1000 ppm; it cannot be \(precision).")
        }
        if let duration, !(duration >= 3 && duration <= 86_400) {
            throw ValidationError("--for goes from 3 to 86400 seconds; it cannot be \(duration).")
        }
        if let rate, rate <= 0 || rate > 768_000 {
            throw ValidationError("--rate counts frames per second, such as 48000; it cannot be \(rate).")
        }
        if show && forget { throw ValidationError("--show and --forget exclude each other.") }
    }

    var framesPerSecond: Int? { rate.map { $0 < 300 ? $0 * 1_000 : $0 } }
}
