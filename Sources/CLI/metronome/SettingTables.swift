internal import ArgumentParser
internal import Configuration
internal import FoundationEssentials
internal import TerminalUI

/// Which settings the metronome's subcommands have, and how they become words of the command line.
enum SettingTables {
    /// Of these one displaces the others.
    private static let exclusive = [["bars", "for"], ["poly", "polymeter"], ["from", "label"], ["line", "big"]]

    /// The options that each table may set.
    static var all: [(name: String, options: [CommandOption])] {
        Metronome.subcommands.compactMap { table, type in
            // What `config` prints cannot be set.
            table == "metronome.config" ? nil : (table, CommandOption.all(of: type))
        }
    }

    /// Refuses settings that do not exist.
    static func check(_ settings: Settings) throws(CommandError) {
        guard !settings.file.tables.isEmpty else { return }
        try settings.check("metronome", tables: Dictionary(uniqueKeysWithValues: all))
    }

    /// What is set for the subcommand that the words ask for.
    static func entries(_ settings: Settings, _ arguments: [String]) -> [Settings.Entry] {
        guard settings.hasAny(for: "metronome"), let (table, type, given) = split(arguments) else { return [] }
        let tables = table == "metronome" ? [table] : ["metronome", table]
        let entries = settings.entries(
            tables: tables, options: CommandOption.all(of: type), shared: ["device", "rate"])
        guard table == "metronome", let own = try? MetronomeCommand.parse(given) else { return entries }
        // What is said about the beat belongs to a tempo: a tempo map has its own. A tempo displaces a map.
        let playsMap = (try? own.mapFile()) ?? nil
        let displaced: Set<String> =
            playsMap != nil
            ? ["accent", "meter", "sub", "swing", "poly", "polymeter", "step", "bounce", "map"]
            : own.words.isEmpty ? [] : ["map", "label"]
        return entries.filter { !displaced.contains($0.name) }
    }

    /// The user's words with the settings before them.
    static func words(_ entries: [Settings.Entry], _ arguments: [String]) -> [String] {
        guard !entries.isEmpty, let (_, type, given) = split(arguments) else { return arguments }
        let set = Settings.words(
            entries, given: given, options: CommandOption.all(of: type), exclusive: exclusive)
        return [type._commandName] + set + given
    }

    private static func split(
        _ arguments: [String]
    ) -> (table: String, type: any MetronomeSubcommand.Type, given: [String])? {
        let first = arguments.first
        if let named = Metronome.subcommands.first(where: { $0.type._commandName == first }) {
            return named.type == Config.self ? nil : (named.table, named.type, Array(arguments.dropFirst()))
        }
        return first == "help" ? nil : ("metronome", MetronomeCommand.self, arguments)
    }
}
