import ArgumentParser
import Glibc

/// Runs both programs' engines and displays for a month in simulated time, with a fault in each minute, and prints what was
/// counted. `make soak` runs this, and the streams of both directions beside it.
@main struct Soak: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Runs the engines and displays for weeks of simulated time, with faults.")
    @Option(
        help:
            "Days of the metronome and of the tuner; listening and the displays run for a quarter of those after the first, 7 at most."
    )
    var days = 30.0
    @Argument(help: "metronome, tuner, listening, display; all without one.") var parts: [String] = []

    func run() throws {
        let (month, week) = (max(70, Int(days * 1_440)), max(70, Int(min(7, (days - 1) / 4) * 1_440)))
        let chosen = parts.isEmpty ? ["metronome", "tuner", "listening", "display"] : parts
        var isRight = true
        for part in chosen {
            switch part {
            case "metronome":
                // Eight minutes around each width that a counter of frames may have; a bar has 96,000 frames.
                for bits in [31, 32, 53] {
                    let bar = (Int64(1) << bits) / 96_000 - 120
                    isRight = try soak(MetronomeSoak(fromBar: bar), minutes: 70) && isRight
                }
                isRight = try soak(MetronomeSoak(), minutes: month) && isRight
            case "tuner":
                isRight = try soak(TunerSoak(), minutes: month) && isRight
            case "listening":
                for bits in [31, 32] {
                    isRight =
                        try soak(ListeningSoak(fromBar: (Int64(1) << bits) / 96_000 - 1_000), minutes: 70) && isRight
                }
                isRight = try soak(ListeningSoak(), minutes: week) && isRight
            case "display": isRight = try soak(DisplaySoak(), minutes: week) && isRight
            default: throw ValidationError("there is no part '\(part)'")
            }
        }
        print(isRight ? "soak: \(chosen.joined(separator: ", ")): all right" : "soak: something is wrong")
        guard isRight else { throw ExitCode.failure }
    }
}
