public import ArgumentParser

/// An option of a command, as its help describes it. A settings file and the environment may set it.
public struct CommandOption: Sendable {
    /// Its long name without the dashes.
    public let name: String
    /// Its one-letter name.
    public let short: String?
    /// Whether it is a flag without a value.
    public let isFlag: Bool
    /// Its help text.
    public let help: String
    /// Its default; empty if it has none.
    public let initial: String

    /// The options of a command or of an option group, in the order of its help.
    public static func all(of command: (some ParsableArguments).Type) -> [CommandOption] {
        (CommandDescription(of: command)?.arguments ?? []).compactMap { argument in
            guard !argument.isPositional, let name = argument.name("long"), !never.contains(name) else { return nil }
            return CommandOption(
                name: name, short: argument.name("short"), isFlag: argument.isFlag, help: argument.abstract ?? "",
                initial: argument.defaultValue ?? "")
        }
    }

    /// Options that do not belong in a file: they end the command or name the file.
    private static let never: Set<String> = ["help", "version", "config", "no-config", "show", "forget"]
}

/// The options for the settings file.
public struct ConfigurationOption: ParsableArguments {
    /// The file to read.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read settings from this file. [XDG_CONFIG_HOME/well-tempered/config.toml]", valueName: "file"))
    public var config: String?

    /// Whether to read no file.
    @Flag(name: .long, help: "Do not read a settings file.")
    public var noConfig = false

    /// Creates the options for the parser.
    public init() {}
}
