public import ArgumentParser
internal import FoundationEssentials

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
        // The parser's description of the command, which its own tools use too.
        guard let described = try? JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8)) else {
            return []
        }
        return (described.command.arguments ?? []).compactMap { argument in
            guard argument.kind != "positional",
                let name = argument.names?.first(where: { $0.kind == "long" })?.name, !never.contains(name)
            else { return nil }
            return CommandOption(
                name: name, short: argument.names?.first { $0.kind == "short" }?.name,
                isFlag: argument.kind == "flag", help: argument.abstract ?? "", initial: argument.defaultValue ?? "")
        }
    }

    /// Options that do not belong in a file: they end the command or name the file.
    private static let never: Set<String> = ["help", "version", "config", "no-config", "show", "forget"]

    private struct Description: Decodable {
        let command: Command
        struct Command: Decodable { let arguments: [Argument]? }
        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
            let abstract: String?
            let defaultValue: String?
        }
        struct Name: Decodable {
            let kind: String
            let name: String
        }
    }
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
