import ArgumentParser
internal import TerminalUI
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
            "About how fast the music begins, in quarter notes a minute, 30 to 320 (45 to 480 in 6/8): beats half or twice as "
                + "fast are not taken.", valueName: "bpm"))
    var around: Double?

    @Option(name: .long, help: ArgumentHelp("The meter.", valueName: "beats/value"))
    var meter = "4/4"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The melody begins so long before the first bar: 1/4, 3/8; 0 for none. [as the beats are heard, at most half a beat]",
            valueName: "value"))
    var upbeat: String?

    func validate() throws {
        if let around, let heard = try aroundHeard(), !Self.heard.contains(heard) {
            let quarters = try quartersPerHeardBeat()
            let (least, most) = (Double(Self.heard.lowerBound) * quarters, Double(Self.heard.upperBound) * quarters)
            throw ValidationError(
                "--around must be between \(Int(least)) and \(Int(most)) quarter notes a minute"
                    + (quarters == 1 ? "" : " in \(meter)")
                    + ", not \(fixedPoint(around, decimals: around == around.rounded() ? 0 : 2)).")
        }
        if let tempo, !(20...400).contains(tempo) {
            throw ValidationError("--tempo must be between 20 and 400 quarter notes a minute, not \(tempo).")
        }
        _ = try parsedMeter()
        _ = try parsedUpbeat()
    }

    /// Beats per minute that can be heard.
    private static let heard = 30...320

    /// `around` in the beats that are heard: dotted quarters in 6/8.
    func aroundHeard() throws -> Int? {
        let quarters = try quartersPerHeardBeat()
        // What is no number is none that can be heard.
        return around.map { $0.isNaN ? 0 : Int((max(0, min(1_000_000, $0)) / quarters).rounded()) }
    }

    private func quartersPerHeardBeat() throws -> Double {
        let meter = try parsedMeter()
        return meter.perHeardBeat / meter.perQuarter
    }

    /// `upbeat` in quarters.
    func parsedUpbeat() throws -> Double? {
        guard let upbeat else { return nil }
        let parts = upbeat.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        let bar = try parsedMeter()
        guard let count = parts[0], (0...1_000).contains(count), parts.count <= 2,
            let value = parts.count == 2 ? parts[1] : count == 0 ? 1 : nil, [1, 2, 4, 8, 16, 32].contains(value),
            count * bar.value < bar.beats * value
        else {
            throw ValidationError(
                "--upbeat must be a value shorter than a bar of \(meter), such as 1/4 or 3/8, or 0, not \"\(upbeat)\".")
        }
        return 4 * Double(count) / Double(value)
    }

    func parsedMeter() throws -> MelodyGrid.Meter {
        let parts = meter.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let beats = Int(parts[0]), let value = Int(parts[1]), (1...32).contains(beats),
            [1, 2, 4, 8, 16, 32].contains(value)
        else { throw ValidationError("--meter must be like 3/4 or 6/8, not \"\(meter)\".") }
        return MelodyGrid.Meter(beats: beats, value: value)
    }
}
