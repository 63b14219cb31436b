internal import ArgumentParser
internal import Music
internal import TerminalUI

/// The options of `tuner calibrate` and `metronome calibrate`.
package struct CalibrationOptions: ParsableArguments {
    @Option(name: [.customShort("D"), .long], help: "Calibrate this ALSA device.")
    var device = "default"

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("\(rateHelp) [the rate of the device]", valueName: "hz"),
        transform: Hertz.rate)
    var rate: Hertz?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Stop when two standard errors of the rate (95 %) are below this many ppm.", valueName: "ppm"))
    var precision = 1.0

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Stop after at most this many seconds.", valueName: "seconds"))
    var duration: Double?

    @Flag(name: .long, help: "Write JSON: an object for each second, and one for the result.")
    var json = false

    @Flag(name: .long, help: "Print the calibrations of all devices, and exit.")
    var show = false

    @Flag(name: .long, help: "Remove the calibrations of this device, and exit.")
    var forget = false

    package init() {}

    package func validate() throws {
        guard precision >= 0.001, precision <= 1_000 else {
            throw ValidationError("--precision goes from 0.001 to 1000 ppm; it cannot be \(precision).")
        }
        if let duration, !(duration >= 3 && duration <= 86_400) {
            throw ValidationError("--for goes from 3 to 86400 seconds; it cannot be \(duration).")
        }
        if show && forget { throw ValidationError("--show and --forget exclude each other.") }
    }

    /// Whether the options only read or change the store.
    package var isAboutTheStore: Bool { show || forget }
}
