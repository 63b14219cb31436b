package import ArgumentParser
internal import FoundationEssentials
internal import Music
internal import Platform
internal import TerminalUI

/// `tuner config` and `metronome config`: print the settings and their origins.
package struct ConfigCommand<Owner: Program>: Subcommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "config", abstract: "Print the current settings, or a settings file to start from.",
            usage: "\(Owner.programName) config --example >> ~/.config/well-tempered/config.toml")
    }

    package static var takesSettings: Bool { false }

    @Flag(name: .long, help: "Print a settings file with all settings, commented out.")
    var example = false

    @OptionGroup var configurationFile: ConfigurationOption

    package init() {}

    package func perform(_ settings: Settings) throws -> Int32 {
        var output = StandardOutput()
        try output.print(example ? exampleSettings(Owner.settingTables) : try Self.report(settings))
        try output.flush()
        return ExitStatus.ok
    }

    private static func report(_ settings: Settings) throws -> String {
        let standard = ConfigurationFile.standardPath(environment: ProcessInfo.processInfo.environment) ?? "none"
        var text = settings.file.path.isEmpty ? "no settings file (\(standard))\n" : settings.file.path.legible + "\n"
        for subcommand in Owner.subcommands where subcommand.takesSettings {
            let name = subcommand._commandName
            for entry in Owner.entries(settings, [name]) {
                text += "\(name): \(entry.name) = \(entry.value)    (\(entry.origin))".legible + "\n"
            }
        }
        for instrument in try settings.instruments { text += "instrument: \(instrument.name.legible)\n" }
        return text
    }
}
