import ArgumentParser
@testable import Configuration

@testable import MetronomeCLI
@testable import musicstand
@testable import tuner

extension FuzzTarget {
    /// A settings file, checked by two of the commands. What is wrong with it is told with its name, and with a line of it.
    static let settings = FuzzTarget(name: "settings", longest: 4_096) { bytes in
        let text = bytes.text
        do throws(CommandError) {
            let settings = try Settings(text: text, path: "fuzz.toml")
            // Each has its own tables: what one complains about, the other may pass.
            do throws(CommandError) { try TunerCommand.check(settings) } catch { checkPlace(error, in: text) }
            try MetronomeProgram.check(settings)
            _ = try settings.instruments
        } catch {
            checkPlace(error, in: text)
        }
    }

    /// The environment of a command that finds an empty settings file: a variable and its value on each line.
    static let environment = FuzzTarget(name: "environment", longest: 1_024) { bytes in
        let pairs = bytes.words.map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        let variables = Dictionary(
            pairs.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }, uniquingKeysWith: { $1 })
        withFile(UnsafeRawBufferPointer(start: nil, count: 0)) { path in
            guard let settings = try? Settings(arguments: ["--config", path], environment: variables) else {
                preconditionFailure("an empty settings file is refused")
            }
            check(TunerCommand.self, settings, variables, subcommands: [[], ["tone"]])
            check(MetronomeProgram.self, settings, variables, subcommands: [[], ["log"]])
            check(MusicStandProgram.self, settings, variables, subcommands: [[]])
        }
        _ = settingsFolder(environment: variables)
    }

    private static func check<Command: Program>(
        _: Command.Type, _ settings: Settings, _ variables: [String: String], subcommands: [[String]]
    ) {
        precondition((try? Command.check(settings)) != nil, "an empty settings file has a wrong setting")
        for arguments in subcommands {
            let entries = Command.entries(settings, arguments)
            precondition(Set(entries.map(\.name)).count == entries.count, "a setting comes twice")
            for entry in entries {
                precondition(
                    !entry.value.isEmpty && variables[entry.origin] == entry.value, "\(entry) is in no variable")
                precondition(entry.origin.hasPrefix(Command.programName.uppercased() + "_"), "of another command")
            }
            guard !entries.isEmpty else { continue }
            _ = parsed(Command.self, Command.words(entries, arguments))
        }
    }

    /// Sees that a complaint names the file and, if it names a line, one that the file has.
    private static func checkPlace(_ error: CommandError, in text: String) {
        precondition(error.problem.hasPrefix("fuzz.toml"), "no file in: \(error.problem)")
        guard error.problem.hasPrefix("fuzz.toml, line ") else {
            precondition(error.problem.hasPrefix("fuzz.toml: "), "neither a line nor a problem: \(error.problem)")
            return
        }
        let number = error.problem.dropFirst("fuzz.toml, line ".count).prefix { $0 != ":" }
        let lines = 1 + text.utf8.count { $0 == UInt8(ascii: "\n") }
        precondition(Int(number).map { (1...lines).contains($0) } == true, "no such line: \(error.problem)")
    }
}
