import ArgumentParser
import Configuration
import FoundationEssentials
import Glibc
import TerminalUI

/// Where the program begins and ends: every way out goes through here with its own exit status.
@main
enum Main {
    static func main() {
        StandardOutput.ignoreClosedPipes()
        do {
            exit(try run(Array(CommandLine.arguments.dropFirst())))
        } catch let closed as OutputClosed {
            exit(closed.explain(for: "tuner"))
        } catch {
            // Help and version are errors too, in the parser's way of speaking; they belong on standard output.
            if TunerCommand.exitCode(for: error).isSuccess {
                print(TunerCommand.fullMessage(for: error))
                exit(ExitStatus.ok)
            }
            let (message, status) = TunerCommand.explain(error)
            complain("tuner", message)
            exit(status)
        }
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        switch arguments {
        case ["--help"], ["-h"], ["help"]: return try show(TunerCommand.shortHelp)
        case ["--help-all"]:
            return try show(
                TunerCommand.configuration.subcommands.map { TunerCommand.helpMessage(for: $0) }
                    .joined(separator: "\n\n"))
        case ["--generate-manual"]: return try show(TunerCommand.manual.text)
        default: break
        }
        let settings = try Settings(arguments: arguments, environment: ProcessInfo.processInfo.environment)
        try settings.check("tuner", tables: SettingTables.all)
        let words = SettingTables.words(settings, arguments)
        let parsed = try parse(words, settings, arguments)
        guard let command = parsed as? any TunerSubcommand else {
            var other = parsed
            try other.run()
            return ExitStatus.ok
        }
        return try command.perform(settings)
    }

    private static func show(_ text: String) throws(OutputClosed) -> Int32 {
        var output = StandardOutput()
        try output.print(text + "\n")
        try output.flush()
        return ExitStatus.ok
    }

    /// Parses the settings and the user's words together; what is wrong with a setting is told with its place.
    private static func parse(_ words: [String], _ settings: Settings, _ given: [String]) throws -> any ParsableCommand
    {
        do {
            return try TunerCommand.parseAsRoot(words)
        } catch {
            guard !TunerCommand.exitCode(for: error).isSuccess else { throw error }
            for (subcommand, entry) in SettingTables.entries(settings, given) {
                do {
                    _ = try TunerCommand.parseAsRoot([subcommand, entry.word])
                } catch let own where TunerCommand.message(for: own) == TunerCommand.message(for: error) {
                    throw CommandError(
                        "\(entry.origin): \(TunerCommand.message(for: own))", exitStatus: ExitStatus.noInput)
                } catch {}
            }
            throw error
        }
    }
}
