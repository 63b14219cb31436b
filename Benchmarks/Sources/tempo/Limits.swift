import ArgumentParser
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
            for setting in settings {
                let parts = setting.split(separator: "=").map(String.init)
                guard parts.count == 2, let value = Float(parts[1]),
                    let path = TempoConstants.named.first(where: { $0.name == parts[0] })?.path
                else {
                    let names = TempoConstants.named.map(\.name).joined(separator: ", ")
                    throw ValidationError("no such limit: \(setting); there are \(names)")
                }
                constants[keyPath: path] = value
            }
            return constants
        }
    }
}
