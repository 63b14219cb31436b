package import ArgumentParser
internal import Synchronization

/// An option of a command, as its help describes it. A settings file and the environment may set it.
package struct CommandOption: Sendable {
    package let name: String
    package let short: String?
    package let isFlag: Bool
    package let help: String
    /// Its default; empty if it has none.
    package let initial: String

    /// The options of a command or of an option group, in the order of its help.
    package static func all(of command: (some ParsableArguments).Type) -> [CommandOption] {
        let type = ObjectIdentifier(command)
        if let options = described.withLock({ $0[type] }) { return options }
        let arguments = CommandDescription(of: command)?.arguments ?? []
        let options = arguments.compactMap { argument -> CommandOption? in
            guard !argument.isPositional, let name = argument.name("long"), !never.contains(name) else { return nil }
            return CommandOption(
                name: name, short: argument.name("short"), isFlag: argument.isFlag, help: argument.abstract ?? "",
                initial: argument.defaultValue ?? "")
        }
        described.withLock { $0[type] = options }
        return options
    }

    /// The options of the types that were asked for: the parser takes milliseconds to describe those of a command.
    private static let described = Mutex<[ObjectIdentifier: [CommandOption]]>([:])

    /// Options that do not belong in a file: they end the command or name the file.
    private static let never: Set<String> = [
        "help", "version", "config", "no-config", "show", "forget", "save", "on", "off",
    ]
}

package struct ConfigurationOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read settings from this file. [XDG_CONFIG_HOME/well-tempered/config.toml]", valueName: "file"))
    package var config: String?

    @Flag(name: .long, help: "Do not read a settings file.")
    var noConfig = false

    package init() {}
}
