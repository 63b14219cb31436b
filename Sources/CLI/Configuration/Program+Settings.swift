internal import ArgumentParser

/// The settings of a program's subcommands, and their translation into arguments.
extension Program {
    /// The tables of the settings file (`tuner`, `tuner-analyze` and so on) with their options. A name such as `tuner.tone`
    /// would collide with the setting `tone` in the table `tuner`.
    static var settingTables: [(name: String, options: [CommandOption])] {
        tables.map { ($0, CommandOption.all(of: $1)) }
    }

    /// The subcommands by their tables.
    private static var tables: [(name: String, subcommand: any Subcommand.Type)] {
        subcommands.filter { $0.takesSettings }.map { (table(of: $0), $0) }
    }

    /// The first subcommand uses the program's own table.
    private static func table(of subcommand: any Subcommand.Type) -> String {
        subcommand == subcommands[0] ? programName : "\(programName)-\(subcommand._commandName)"
    }

    /// Throws if the file has settings that do not exist.
    static func check(_ settings: Settings) throws(CommandError) {
        guard !settings.file.tables.isEmpty else { return }
        try settings.check(programName, tables: Dictionary(uniqueKeysWithValues: tables))
    }

    /// The settings for the subcommand that the arguments call.
    static func entries(_ settings: Settings, _ arguments: [String]) -> [Settings.Entry] {
        // Usually there are none, and asking the parser for its options takes time.
        guard settings.hasAny(for: programName), let (subcommand, given) = split(arguments) else { return [] }
        let own = table(of: subcommand)
        let tables = own == programName ? [own] : [programName, own]
        let entries = settings.entries(
            tables: tables, options: CommandOption.all(of: subcommand), shared: sharedSettings)
        guard !entries.isEmpty else { return [] }
        let displaced = displacedSettings(of: subcommand, given: given)
        return entries.filter { !displaced.contains($0.name) }
    }

    /// The settings as arguments, followed by the user's arguments.
    static func words(_ entries: [Settings.Entry], _ arguments: [String]) -> [String] {
        guard !entries.isEmpty, let (subcommand, given) = split(arguments) else { return arguments }
        let set = Settings.words(
            entries, given: given, options: CommandOption.all(of: subcommand), exclusive: exclusiveSettings)
        return [subcommand._commandName] + set + given
    }

    /// The subcommand that the arguments call, if it takes settings, and the arguments after its name.
    private static func split(_ arguments: [String]) -> (subcommand: any Subcommand.Type, given: [String])? {
        let first = arguments.first
        if let named = subcommands.first(where: { $0._commandName == first }) {
            return named.takesSettings ? (named, Array(arguments.dropFirst())) : nil
        }
        return first == "help" ? nil : (subcommands[0], arguments)
    }
}
