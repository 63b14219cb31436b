public import ArgumentParser
internal import FoundationEssentials

/// One option of a command, as its help describes it: what a configuration file and the environment may set.
public struct CommandOption: Sendable {
    /// Its long name without the dashes.
    public let name: String
    /// Its one-letter name, if it has one.
    public let short: String?
    /// Whether it is only on or off.
    public let isFlag: Bool
    /// What it does, in a line.
    public let help: String
    /// What it is when nobody says anything; empty when there is nothing.
    public let initial: String

    /// The options of a command (or of a group of options), in the order of its help.
    public static func all(of command: (some ParsableArguments).Type) -> [CommandOption] {
        // The parser's own description of itself, which also feeds its manual pages.
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

    /// What makes no sense in a file: it ends the command, or names the file.
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

/// Where the configuration comes from.
public struct ConfigurationOption: ParsableArguments {
    /// The file to read.
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read settings from this file. [XDG_CONFIG_HOME/well-tempered/config.toml]", valueName: "file"))
    public var config: String?

    /// Whether no file is read.
    @Flag(name: .long, help: "Read no settings from a file.")
    public var noConfig = false

    /// The parser makes it.
    public init() {}
}
