import ArgumentParser
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
            for setting in settings {
                let parts = setting.split(separator: "=").map(String.init)
                guard parts.count == 2, let value = Float(parts[1]),
                    let path = OnsetConstants.named.first(where: { $0.name == parts[0] })?.path
                else {
                    let names = OnsetConstants.named.map(\.name).joined(separator: ", ")
                    throw ValidationError("no such limit: \(setting); there are \(names)")
                }
                constants[keyPath: path] = value
            }
            return constants
        }
    }
}
