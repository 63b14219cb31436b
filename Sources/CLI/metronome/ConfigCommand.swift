internal import ArgumentParser
internal import Configuration
internal import FoundationEssentials
internal import TerminalUI

/// `metronome config`: which settings hold, and where they come from.
struct Config: MetronomeSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Tell which settings hold, or print a settings file to begin with.",
        usage: "metronome config --example >> ~/.config/well-tempered/config.toml")

    @Flag(name: .long, help: "Print a file with every setting there is.")
    var example = false

    @OptionGroup var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 {
        var output = StandardOutput()
        if example {
            try output.print(exampleSettings(SettingTables.all))
        } else {
            let standard = ConfigurationFile.standardPath(environment: ProcessInfo.processInfo.environment) ?? "none"
            try output.print(
                settings.file.path.isEmpty ? "no settings file (\(standard))\n" : settings.file.path + "\n")
            for (table, type) in Metronome.subcommands where type != Config.self {
                let words = table == "metronome" ? [] : [type._commandName]
                for entry in SettingTables.entries(settings, words) {
                    try output.print("\(type._commandName): \(entry.name) = \(entry.value)    (\(entry.origin))\n")
                }
            }
        }
        try output.flush()
        return ExitStatus.ok
    }
}
