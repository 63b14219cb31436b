import ArgumentParser
import Configuration
import FoundationEssentials
import Music
import TerminalUI

/// `tuner config`: which settings hold, and where they come from.
struct Config: TunerSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Tell which settings hold, or print a settings file to begin with.",
        usage: "tuner config --example > ~/.config/well-tempered/config.toml")

    @Flag(name: .long, help: "Print a file with every setting there is.")
    var example = false

    @OptionGroup var configurationFile: ConfigurationOption

    func perform(_ settings: Settings) throws -> Int32 {
        var output = StandardOutput()
        if example {
            let names = ["tuner", "tuner.analyze", "tuner.tone"]
            try output.print(exampleSettings(names.map { ($0, SettingTables.all[$0] ?? []) }))
        } else {
            let standard = ConfigurationFile.standardPath(environment: ProcessInfo.processInfo.environment) ?? "none"
            try output.print(
                settings.file.path.isEmpty ? "no settings file (\(standard))\n" : settings.file.path + "\n")
            for subcommand in ["listen", "analyze", "tone"] {
                for (_, entry) in SettingTables.entries(settings, [subcommand]) {
                    try output.print("\(subcommand): \(entry.name) = \(entry.value)    (\(entry.origin))\n")
                }
            }
            for instrument in try settings.instruments { try output.print("instrument: \(instrument.name)\n") }
        }
        try output.flush()
        return ExitStatus.ok
    }
}
