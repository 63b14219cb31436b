import ArgumentParser
import Figures
@_spi(Measurement) import Rhythm

/// Other limits than those of the tracker, to measure what they do.
struct Limits: ParsableArguments {
    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("Sets a limit of the tracker, such as gain=2.", valueName: "name=value"))
    var settings: [String] = []

    var constants: TempoConstants {
        get throws {
            var constants = TempoConstants()
            try set(settings, in: &constants, named: TempoConstants.named)
            return constants
        }
    }
}
