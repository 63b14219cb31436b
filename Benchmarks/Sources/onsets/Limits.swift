import ArgumentParser
import Figures
@_spi(Measurement) import Rhythm

/// Other limits than those of the detector, to measure what they do.
struct Limits: ParsableArguments {
    @Option(
        name: .customLong("limit"), parsing: .singleValue,
        help: ArgumentHelp("Sets a limit of the detector, such as certain=0.5.", valueName: "name=value"))
    var settings: [String] = []

    var constants: OnsetConstants {
        get throws {
            var constants = OnsetConstants()
            try set(settings, in: &constants, named: OnsetConstants.named)
            return constants
        }
    }
}
