internal import ArgumentParser
internal import AudioIO
internal import Configuration
internal import FoundationEssentials
internal import Glibc
internal import TerminalUI
internal import Timebase

/// Where the program begins and ends: every way out goes through here with its own exit status.
@main
enum Main {
    static func main() {
        StandardOutput.ignoreClosedPipes()
        do {
            exit(try run(Array(CommandLine.arguments.dropFirst())))
        } catch let error as CommandError {
            complain("metronome", error.message)
            exit(error.exitStatus)
        } catch let error as AudioError {
            complain("metronome", error.message)
            exit(error.exitStatus)
        } catch let closed as OutputClosed {
            exit(closed.explain(for: "metronome"))
        } catch {
            complain("metronome", "\(error)")
            exit(70)
        }
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        switch arguments {
        case ["--help"], ["-h"], ["help"]: return try show(Metronome.shortHelp)
        case ["--help-all"]:
            return try show(
                Metronome.subcommands.map { Metronome.helpMessage(for: $0.type) }.joined(separator: "\n\n"))
        case ["--generate-manual"]: return try show(Metronome.manual.text)
        default: break
        }
        let settings = try Settings(arguments: arguments, environment: ProcessInfo.processInfo.environment)
        try SettingTables.check(settings)
        let entries = SettingTables.entries(settings, arguments)
        do {
            return try parsed(SettingTables.words(entries, arguments), entries, arguments).perform(settings)
        } catch let error as CommandError where error.exitStatus == ExitStatus.usage {
            // What is wrong with a setting is told with its place.
            guard let entry = entries.first(where: { error.message.hasPrefix("--\($0.name) ") }),
                !arguments.contains(where: { $0 == "--" + entry.name || $0.hasPrefix("--\(entry.name)=") })
            else { throw error }
            throw CommandError("\(entry.origin): \(error.message)", exitStatus: ExitStatus.noInput)
        }
    }

    private static func show(_ text: String) throws(OutputClosed) -> Int32 {
        var output = StandardOutput()
        try output.print(text + "\n")
        try output.flush()
        return ExitStatus.ok
    }

    /// The command that the words on the line make, or the sentence that tells what is wrong with them.
    private static func parsed(
        _ words: [String], _ entries: [Settings.Entry], _ given: [String]
    ) throws -> any MetronomeSubcommand {
        do {
            let command = try Metronome.parseAsRoot(words)
            if let command = command as? any MetronomeSubcommand { return command }
            // `metronome help play`: the parser's own command.
            var other = command
            try other.run()
            exit(ExitStatus.ok)
        } catch {
            guard Metronome.exitCode(for: error) != .success else {
                print(Metronome.fullMessage(for: error))
                exit(ExitStatus.ok)
            }
            // A setting that cannot be read cannot be read alone either.
            for entry in entries where words.count > given.count {
                do {
                    _ = try Metronome.parseAsRoot([words[0], entry.word])
                } catch let own where Metronome.message(for: own) == Metronome.message(for: error) {
                    throw CommandError("\(entry.origin): \(message(for: error))", exitStatus: ExitStatus.noInput)
                } catch {}
            }
            // A tempo below zero looks like an option; say what it is.
            if let number = given.first, number.hasPrefix("-"), number.dropFirst().first?.isNumber == true {
                let reason = complaint("tempo") { () throws(NotationError) in _ = try Tempo(parsing: number) }
                throw CommandError(reason ?? "'\(number)' is no tempo", exitStatus: ExitStatus.usage)
            }
            throw CommandError("\(message(for: error)): see metronome --help", exitStatus: ExitStatus.usage)
        }
    }

    private static func message(for error: any Error) -> String {
        Metronome.message(for: error).split(separator: "\n").joined(separator: " ")
    }
}
