import ArgumentParser
import Transcription

/// The beats of a melody.
struct GridOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The tempo in quarter notes a minute, 20 to 400; without it the beats are those that are heard.",
            valueName: "bpm"))
    var tempo: Double?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "About how fast the music begins, 30 to 320: beats half or twice as fast are not taken.", valueName: "bpm"))
    var around: Int?

    @Option(name: .long, help: ArgumentHelp("The meter.", valueName: "beats/value"))
    var meter = "4/4"

    func validate() throws {
        if let around, !(30...320).contains(around) {
            throw ValidationError("--around must be between 30 and 320 quarter notes a minute, not \(around).")
        }
        if let tempo, !(20...400).contains(tempo) {
            throw ValidationError("--tempo must be between 20 and 400 quarter notes a minute, not \(tempo).")
        }
        _ = try parsedMeter()
    }

    /// The same in the beats that are heard: dotted quarters in 6/8.
    func aroundHeard() throws -> Int? {
        guard let around else { return nil }
        let meter = try parsedMeter()
        return max(30, Int((Double(around) * meter.perQuarter / meter.perHeardBeat).rounded()))
    }

    func parsedMeter() throws -> MelodyGrid.Meter {
        let parts = meter.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let beats = Int(parts[0]), let value = Int(parts[1]), (1...32).contains(beats),
            [1, 2, 4, 8, 16, 32].contains(value)
        else { throw ValidationError("--meter must be like 3/4 or 6/8, not \"\(meter)\".") }
        return MelodyGrid.Meter(beats: beats, value: value)
    }
}
