import Configuration

/// Which settings the tuner's subcommands have, and how they become words of the command line.
enum SettingTables {
    private static let subcommands = ["listen", "analyze", "tone"]
    private static let exclusive = [["json", "csv", "summary"], ["scale", "temperament"]]

    static let shared = Set(CommandOption.all(of: TuningOptions.self).map(\.name))

    static func options(of subcommand: String) -> [CommandOption] {
        switch subcommand {
        case "analyze": CommandOption.all(of: Analyze.self)
        case "tone": CommandOption.all(of: Tone.self)
        default: CommandOption.all(of: Listen.self)
        }
    }

    /// The options that each table may set.
    static var all: [String: [CommandOption]] {
        [
            "tuner": options(of: "listen"), "tuner.analyze": options(of: "analyze"), "tuner.tone": options(of: "tone"),
        ]
    }

    private static func split(_ arguments: [String]) -> (subcommand: String, rest: [String])? {
        guard let first = arguments.first else { return ("listen", []) }
        if subcommands.contains(first) { return (first, Array(arguments.dropFirst())) }
        return first == "config" || first == "help" ? nil : ("listen", arguments)
    }

    /// What is set for the subcommand that the words ask for.
    static func entries(_ settings: Settings, _ arguments: [String]) -> [(subcommand: String, entry: Settings.Entry)] {
        guard let (subcommand, _) = split(arguments) else { return [] }
        let tables = subcommand == "listen" ? ["tuner"] : ["tuner", "tuner." + subcommand]
        return settings.entries(tables: tables, options: options(of: subcommand), shared: shared).map {
            (subcommand, $0)
        }
    }

    /// The user's words with the settings before them.
    static func words(_ settings: Settings, _ arguments: [String]) -> [String] {
        guard let (subcommand, rest) = split(arguments) else { return arguments }
        let entries = entries(settings, arguments).map(\.entry)
        let set = Settings.words(entries, given: rest, options: options(of: subcommand), exclusive: exclusive)
        guard !set.isEmpty else { return arguments }
        return [subcommand] + set + rest
    }
}
