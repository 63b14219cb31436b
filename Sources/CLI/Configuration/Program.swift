package import ArgumentParser
internal import AudioIO
internal import FoundationEssentials
internal import Glibc
internal import TerminalUI

/// A program with subcommands: `tuner` or `metronome`. It turns the arguments and the settings into an exit status.
package protocol Program: ParsableCommand {
    /// Its subcommands; the first is the default.
    static var subcommands: [any Subcommand.Type] { get }
    /// `--help`: one screen that starts with examples. The parser's own help is `--help-all`.
    static var shortHelp: String { get }
    static var manual: ManualPage { get }
    /// The options that all subcommands take from the program's own table of the settings file.
    static var sharedSettings: Set<String> { get }
    /// Groups of exclusive options: one on the command line removes the others from the settings.
    static var exclusiveSettings: [[String]] { get }
    /// The settings that the arguments of a subcommand remove.
    static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String>
    /// The arguments with other spellings of the program's words replaced, such as `analyse`.
    static func respelled(_ arguments: [String]) -> [String]
    /// What may stand in the place of an option's value or of an argument, for completion; `nil`: nobody knows.
    ///
    /// - Parameters:
    ///   - argument: the long name of an option, or what the help calls an argument.
    ///   - given: the words before it.
    static func completion(of argument: String, in subcommand: String, given: [String]) -> Completion?
    /// A better error than the parser's for arguments that it refused.
    static func complaint(about words: [String]) -> CommandError?
}

/// A subcommand with an exit status.
package protocol Subcommand: ParsableCommand {
    /// Whether the settings file and the environment apply to it.
    static var takesSettings: Bool { get }
    /// Runs the subcommand and returns the exit status.
    func perform(_ settings: Settings) throws -> Int32
}

extension Subcommand {
    package static var takesSettings: Bool { true }
}

extension Program {
    package static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String> { [] }

    package static func respelled(_ arguments: [String]) -> [String] { arguments }

    package static func complaint(about words: [String]) -> CommandError? { nil }

    package static var programName: String { configuration.commandName ?? _commandName }

    package static func main() {
        RunningCommand.name = programName
        StandardOutput.ignoreClosedPipes()
        for case let raw? in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
            SystemPath.remember(raw)
        }
        do {
            Glibc.exit(try run(Array(CommandLine.arguments.dropFirst())))
        } catch {
            Glibc.exit(report(error))
        }
    }

    /// Writes what is wrong on standard error, unless only the reader of the output has left; returns the exit status.
    package static func report(_ error: any Error) -> Int32 {
        let status = ExitStatus.of(error)
        if status != ExitStatus.ok {
            let option = optionThatLists(error).map { " (`\(programName) \($0)` lists them)" } ?? ""
            let message = (error as? any ExplainedError).map { $0.message + option }
            let help = (error as? RefusedArguments)?.help ?? "\(programName) --help"
            complain(programName, message ?? sentence(error) + " (see `\(help)`)")
        }
        return status
    }

    /// The option that lists what a remedy speaks of: all devices, or the sound cards.
    private static func optionThatLists(_ error: any Error) -> String? {
        switch error as? AudioError {
        case .unknownDevice: "-L"
        case .noServer, .deviceFailed(device: "default", reason: _): "-l"
        default: nil
        }
    }

    /// Does something with each file. If that fails for one, it reports the error and goes on with the next.
    ///
    /// - Parameters:
    ///   - body: returns an exit status to end before the files that follow.
    ///   - failed: called before an error is reported.
    /// - Returns: the exit status of the first file that failed, or 0.
    package static func forEach(
        _ files: [String], _ body: (String) throws -> Int32?, failed: () throws -> Void = {}
    ) throws -> Int32 {
        var status = ExitStatus.ok
        for file in files {
            do {
                if let ended = try body(file) { return ended }
            } catch let closed as OutputClosed {
                throw closed
            } catch {
                try failed()
                let found = report(error)
                if status == ExitStatus.ok { status = found }
            }
        }
        return status
    }

    private static func run(_ given: [String]) throws -> Int32 {
        let arguments = respelled(given)
        switch arguments {
        case ["--help"], ["-h"], ["help"]: return try printLines([shortHelp])
        case ["--help-all"]:
            return try printLines([subcommands.map { helpMessage(for: $0) }.joined(separator: "\n\n")])
        case ["--generate-manual"]: return try printLines([manual.text])
        case _ where arguments.first == "--complete":
            return try printLines(candidates(for: Array(arguments.dropFirst())).lines)
        case _ where arguments.count == 2 && arguments[0] == "--generate-completion-script":
            guard let script = CompletionScripts.script(for: arguments[1], program: programName) else { break }
            return try printLines([script])
        default: break
        }
        let settings = try Settings(arguments: arguments, environment: ProcessInfo.processInfo.environment)
        try check(settings)
        let entries = entries(settings, arguments)
        do {
            let parsed = try parse(words(entries, arguments), entries, arguments)
            guard let command = parsed as? any Subcommand else {
                // `help play`: the parser's own command, which throws its text as an error.
                var other = parsed
                try other.run()
                return ExitStatus.ok
            }
            return try command.perform(settings)
        } catch let error as any ExplainedError {
            // Tell the place of a setting that is wrong.
            let status = ExitStatus.of(error)
            // A device that was lost was there: the setting is right.
            guard status != ExitStatus.deviceLost, let entry = entry(behind: error, among: entries) else { throw error }
            throw CommandError(status == ExitStatus.noDevice ? .device : .input, error, at: entry.origin + ": ")
        } catch let error as RefusedArguments {
            throw error
        } catch  where exitCode(for: error).isSuccess {
            // The parser throws help and version as errors too.
            return try printLines([fullMessage(for: error)])
        }
    }

    /// The setting that an error is about: the one whose option begins the message, or whose value it quotes.
    ///
    /// Settings that the user's arguments replace are not among `entries`.
    private static func entry(behind error: any ExplainedError, among entries: [Settings.Entry]) -> Settings.Entry? {
        let problem = error.problem
        // The parser's own complaint has the place already.
        guard !entries.contains(where: { problem.hasPrefix($0.origin + ": ") }) else { return nil }
        return entries.first { entry in
            if problem.hasPrefix("--\(entry.name) ") { return true }
            guard !entry.isFlag, !entry.value.isEmpty else { return false }
            return problem.contains("'\(entry.value)'") || problem.contains("\"\(entry.value)\"")
        }
    }
}
