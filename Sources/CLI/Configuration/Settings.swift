package import ArgumentParser
internal import FoundationEssentials
package import Music

/// The settings of the environment and the settings file.
///
/// Precedence: option, environment, settings file, default.
package struct Settings: Sendable {
    /// A setting and its origin.
    package struct Entry: Sendable {
        package let name: String
        package let value: String
        /// The file and line, or the variable.
        package let origin: String
        let isFlag: Bool
        package var word: String { isFlag ? "--" + name : "--\(name)=\(value)" }
    }

    /// The file that was read; its path is empty if there is none.
    let file: ConfigurationFile
    private let environment: [String: String]

    package init() { (file, environment) = (ConfigurationFile(), [:]) }

    /// Reads the file that the command line names, or the default file if it exists.
    package init(arguments: [String], environment: [String: String]) throws(CommandError) {
        self.environment = environment
        let words = arguments.prefix { $0 != "--" }
        if words.contains("--no-config") {
            file = ConfigurationFile()
        } else if let path = Self.value(of: "config", in: Array(words)) {
            file = try ConfigurationFile(path: path)
        } else if let path = ConfigurationFile.standardPath(environment: environment),
            FileManager.default.fileExists(atPath: path)
        {
            file = try ConfigurationFile(path: path, mayBePipe: false)
        } else {
            file = ConfigurationFile()
        }
    }

    /// The settings of a file with this text, without those of an environment.
    package init(text: String, path: String) throws(CommandError) {
        (file, environment) = (try ConfigurationFile(text: text, path: path), [:])
    }

    /// Whether there are any settings for a program. If not, nothing needs to be looked up.
    func hasAny(for program: String) -> Bool {
        let prefix = program.uppercased() + "_"
        return !file.tables.isEmpty || environment.keys.contains { $0.hasPrefix(prefix) }
    }

    /// Throws if the file has settings that no command has.
    ///
    /// - Parameters:
    ///   - program: `tuner` or `metronome`.
    ///   - tables: the command, or the option group, whose options each table of the program may set.
    package func check(_ program: String, tables: [String: any ParsableArguments.Type]) throws(CommandError) {
        for (name, settings) in file.tables.sorted(by: { $0.key < $1.key }) {
            guard let first = settings.first else { continue }
            // The other program checks its own tables.
            let isOwn = name == program || ["-", "."].contains { name.hasPrefix(program + $0) }
            if !isOwn {
                let top = name.split { $0 == "." || $0 == "-" }.first ?? ""
                guard ["tuner", "metronome", "musicstand", "instruments"].contains(top) else {
                    throw complaint(
                        first, "there is no table [\(name)]",
                        remedy: "use [tuner], [metronome], [musicstand] or [instruments]")
                }
                continue
            }
            guard let command = tables[name] else {
                throw complaint(
                    first, "there is no table [\(name)]", remedy: "use \(tables.keys.sorted().joined(separator: ", "))")
            }
            let options = CommandOption.all(of: command)
            for setting in settings {
                guard let option = options.first(where: { $0.name == setting.name }) else {
                    let near = options.map(\.name).filter { $0.prefix(2) == setting.name.prefix(2) }
                    let hint =
                        near.isEmpty
                        ? "`\(program) config --example` lists them" : "use \(near.joined(separator: " or "))"
                    throw complaint(setting, "there is no setting \"\(setting.name)\" in [\(name)]", remedy: hint)
                }
                if option.isFlag, !setting.isTruth {
                    throw complaint(
                        setting, "\(setting.name) is \"\(setting.value)\"", remedy: "set it to true or false")
                }
                if !option.isFlag, setting.isTruth {
                    throw complaint(
                        setting, "\(setting.name) needs a value, not \(setting.value)",
                        remedy: "`\(program) config --example` shows one")
                }
            }
        }
    }

    /// The settings of the file and the environment for a command.
    ///
    /// - Parameters:
    ///   - tables: the tables that apply, the later before the earlier: `["tuner", "tuner-tone"]`.
    ///   - options: the options of the command.
    ///   - shared: the options that a subcommand takes from the first of several tables.
    package func entries(tables: [String], options: [CommandOption], shared: Set<String>) -> [Entry] {
        var entries: [Entry] = []
        func set(_ option: CommandOption, _ value: String, _ origin: String) {
            entries.removeAll { $0.name == option.name }
            // An empty text is none: the file of all settings has it where an option has no default.
            if value.isEmpty { return }
            if option.isFlag, !["true", "1", "yes"].contains(value.lowercased()) { return }
            entries.append(Entry(name: option.name, value: value, origin: origin, isFlag: option.isFlag))
        }
        let allowed = tables.enumerated().map { index, table in
            (table, index == 0 && tables.count > 1 ? options.filter { shared.contains($0.name) } : options)
        }
        for (table, options) in allowed {
            for setting in file.tables[table] ?? [] {
                guard let option = options.first(where: { $0.name == setting.name }) else { continue }
                set(option, setting.value, "\(file.path), line \(setting.line)")
            }
        }
        for (table, options) in allowed {
            for option in options {
                let variable = (table + "_" + option.name).uppercased().map { $0 == "." || $0 == "-" ? "_" : $0 }
                guard let value = environment[String(variable)], !value.isEmpty else { continue }
                set(option, value, String(variable))
            }
        }
        return entries
    }

    /// Whether the environment, or else the file, sets a flag to true or false; `nil`: neither says anything.
    package func truth(of flag: String, in table: String) -> Bool? {
        let variable = environment["\(table)_\(flag)".uppercased()].flatMap { $0.isEmpty ? nil : $0 }
        let value = variable ?? file.tables[table]?.first { $0.name == flag }?.value
        return value.map { ["true", "1", "yes"].contains($0.lowercased()) }
    }

    /// The settings as arguments, without those that the user's arguments replace.
    ///
    /// - Parameters:
    ///   - entries: the settings.
    ///   - given: the user's arguments.
    ///   - options: the options of the command.
    ///   - exclusive: groups of exclusive options.
    package static func words(
        _ entries: [Entry], given: [String], options: [CommandOption], exclusive: [[String]]
    ) -> [String] {
        let used = options.filter { option in
            given.prefix { $0 != "--" }.contains { word in
                word == "--" + option.name || word.hasPrefix("--\(option.name)=")
                    || option.short.map { word == "-" + $0 } ?? false
            }
        }.map(\.name)
        return entries.filter { entry in
            !used.contains(entry.name)
                && !exclusive.contains { $0.contains(entry.name) && $0.contains(where: used.contains) }
        }.map(\.word)
    }

    /// The player's own instruments: a table for each below `[instruments]`, with tunings by name.
    package var instruments: [Instrument] {
        get throws(CommandError) {
            var instruments: [Instrument] = []
            for (table, settings) in file.tables.sorted(by: { $0.key < $1.key }) where table.hasPrefix("instruments.") {
                var tunings: [StringTuning] = []
                for setting in settings {
                    do throws(NameError) {
                        tunings.append(try StringTuning(name: setting.name, strings: setting.value))
                    } catch {
                        throw complaint(setting, error.problem, remedy: error.remedy)
                    }
                }
                guard let standard = tunings.first(where: { $0.name == "standard" }) ?? tunings.first else { continue }
                let name = String(table.dropFirst("instruments.".count))
                let others = tunings.filter { $0.name != standard.name }
                instruments.append(Instrument(name: name, standard: standard, others: others))
            }
            return instruments
        }
    }

    private func complaint(_ setting: ConfigurationFile.Setting, _ problem: String, remedy: String) -> CommandError {
        CommandError(.input, "\(file.path), line \(setting.line): \(problem)", remedy: remedy)
    }

    private static func value(of option: String, in words: [String]) -> String? {
        for (index, word) in words.enumerated() {
            if word.hasPrefix("--\(option)=") { return String(word.dropFirst(option.count + 3)) }
            if word == "--" + option, index + 1 < words.count { return words[index + 1] }
        }
        return nil
    }
}

/// A settings file with all options and their defaults, commented out.
package func exampleSettings(_ tables: [(name: String, options: [CommandOption])]) -> String {
    var text = "# Settings of tuner, metronome and musicstand. Remove the # before a setting to change it.\n"
    for (name, options) in tables {
        text += "\n[\(name)]\n"
        // Options without help are deprecated.
        for option in options where !option.help.isEmpty {
            text += "# \(option.help.split(separator: "\n").joined(separator: " "))\n"
            let isNumber = Double(option.initial) != nil
            let value = option.isFlag ? "false" : isNumber ? option.initial : "\"\(option.initial)\""
            text += "# \(option.name) = \(value)\n"
        }
    }
    guard tables.contains(where: { $0.name == "tuner" }) else { return text }
    return text + """

        # Your own instruments: a table for each, with its tunings from the lowest string to the highest.
        [instruments.my-guitar]
        standard = "C2 G2 D3 G3 A3 D4"

        """
}
