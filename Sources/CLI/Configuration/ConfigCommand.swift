public import ArgumentParser
internal import FoundationEssentials
internal import Music
internal import TerminalUI

/// `tuner config`, `metronome config`: which settings hold, and where they come from.
public struct ConfigCommand<Owner: Program>: Subcommand {
    /// What the parser knows of it.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config", abstract: "Tell which settings hold, or print a settings file to begin with.",
            usage: "\(Owner.programName) config --example >> ~/.config/well-tempered/config.toml")
    }

    /// What it prints cannot be set.
    public static var takesSettings: Bool { false }

    @Flag(name: .long, help: "Print a file with every setting there is.")
    var example = false

    @OptionGroup var configurationFile: ConfigurationOption

    /// The parser makes it.
    public init() {}

    /// Prints them.
    public func perform(_ settings: Settings) throws -> Int32 {
        var output = StandardOutput()
        try output.print(example ? exampleSettings(Owner.settingTables) : try Self.report(settings))
        try output.flush()
        return ExitStatus.ok
    }

    private static func report(_ settings: Settings) throws -> String {
        let standard = ConfigurationFile.standardPath(environment: ProcessInfo.processInfo.environment) ?? "none"
        var text = settings.file.path.isEmpty ? "no settings file (\(standard))\n" : settings.file.path + "\n"
        for subcommand in Owner.subcommands where subcommand.takesSettings {
            let name = subcommand._commandName
            for entry in Owner.entries(settings, [name]) {
                text += "\(name): \(entry.name) = \(entry.value)    (\(entry.origin))\n"
            }
        }
        for instrument in try settings.instruments { text += "instrument: \(instrument.name)\n" }
        return text
    }
}
