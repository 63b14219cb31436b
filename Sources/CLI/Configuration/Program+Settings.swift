internal import ArgumentParser
internal import TerminalUI

/// Which settings a program's subcommands have, and how they become words of the command line.
extension Program {
    /// The tables of settings, with the options that each may set: `tuner`, `tuner-analyze` and so on. Not `tuner.tone`:
    /// in TOML that would be the same thing as the setting `tone` of the table `tuner`.
    static var settingTables: [(name: String, options: [CommandOption])] {
        subcommands.filter { $0.takesSettings }.map { (table(of: $0), CommandOption.all(of: $0)) }
    }

    /// The first subcommand's settings stand in the program's own table.
    private static func table(of subcommand: any Subcommand.Type) -> String {
        subcommand == subcommands[0] ? programName : "\(programName)-\(subcommand._commandName)"
    }

    /// Refuses settings that do not exist.
    static func check(_ settings: Settings) throws(CommandError) {
        guard !settings.file.tables.isEmpty else { return }
        try settings.check(programName, tables: Dictionary(uniqueKeysWithValues: settingTables))
    }

    /// What is set for the subcommand that the words ask for.
    static func entries(_ settings: Settings, _ arguments: [String]) -> [Settings.Entry] {
        // Most often nothing is, and asking the parser for its options takes time.
        guard settings.hasAny(for: programName), let (subcommand, given) = split(arguments) else { return [] }
        let own = table(of: subcommand)
        let tables = own == programName ? [own] : [programName, own]
        let entries = settings.entries(
            tables: tables, options: CommandOption.all(of: subcommand), shared: sharedSettings)
        guard !entries.isEmpty else { return [] }
        let displaced = displacedSettings(of: subcommand, given: given)
        return entries.filter { !displaced.contains($0.name) }
    }

    /// The user's words with the settings before them.
    static func words(_ entries: [Settings.Entry], _ arguments: [String]) -> [String] {
        guard !entries.isEmpty, let (subcommand, given) = split(arguments) else { return arguments }
        let set = Settings.words(
            entries, given: given, options: CommandOption.all(of: subcommand), exclusive: exclusiveSettings)
        return [subcommand._commandName] + set + given
    }

    /// The subcommand that the words ask for, if it takes settings, and the words behind its name.
    private static func split(_ arguments: [String]) -> (subcommand: any Subcommand.Type, given: [String])? {
        let first = arguments.first
        if let named = subcommands.first(where: { $0._commandName == first }) {
            return named.takesSettings ? (named, Array(arguments.dropFirst())) : nil
        }
        return first == "help" ? nil : (subcommands[0], arguments)
    }
}
