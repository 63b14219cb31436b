public import ArgumentParser
internal import AudioIO
internal import FoundationEssentials
internal import Glibc
internal import Music
internal import Platform
internal import TerminalUI

/// A program of several subcommands, as `tuner` and `metronome` are: from the words on its command line, and what its
/// settings say, to its exit status.
public protocol Program: ParsableCommand {
    /// Its subcommands; the first is meant where none is named.
    static var subcommands: [any Subcommand.Type] { get }
    /// `--help`: a screen, beginning with what to type. The parser's own help is `--help-all`.
    static var shortHelp: String { get }
    /// The manual page.
    static var manual: ManualPage { get }
    /// The options that every subcommand takes from the program's own table of settings.
    static var sharedSettings: Set<String> { get }
    /// Groups of options of which one on the command line displaces the others in the settings.
    static var exclusiveSettings: [[String]] { get }
    /// The settings that the words given to a subcommand displace.
    static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String>
    /// What is wrong with words that the parser refused, where that can be said better than by the parser.
    static func complaint(about words: [String]) -> String?
}

/// A subcommand that ends with an exit status of its own.
public protocol Subcommand: ParsableCommand {
    /// Whether settings can hold for it.
    static var takesSettings: Bool { get }
    /// Does what was asked; returns the exit status.
    func perform(_ settings: Settings) throws -> Int32
}

extension Subcommand {
    /// They can, unless it says otherwise.
    public static var takesSettings: Bool { true }
}

extension Program {
    /// Nothing is displaced.
    public static func displacedSettings(of subcommand: any Subcommand.Type, given: [String]) -> Set<String> { [] }

    /// The parser said it well.
    public static func complaint(about words: [String]) -> String? { nil }

    /// Its name, as it is typed.
    public static var programName: String { configuration.commandName ?? _commandName }

    /// Where the program begins and ends: every way out goes through here with its own exit status.
    public static func main() {
        StandardOutput.ignoreClosedPipes()
        do {
            Glibc.exit(try run(Array(CommandLine.arguments.dropFirst())))
        } catch let closed as OutputClosed {
            Glibc.exit(closed.explain(for: programName))
        } catch {
            let (message, status) = explain(error)
            complain(programName, message)
            Glibc.exit(status)
        }
    }

    /// What is wrong and what to do next, and the exit status for it.
    public static func explain(_ error: any Error) -> (message: String, status: Int32) {
        let status = ExitStatus.of(error)
        switch error {
        case let error as AudioError: return (error.message, status)
        case let error as any ExplainedError: return (error.message, status)
        default: return (sentence(error) + " (see `\(programName) --help`)", status)
        }
    }

    private static func run(_ arguments: [String]) throws -> Int32 {
        switch arguments {
        case ["--help"], ["-h"], ["help"]: return try show(shortHelp)
        case ["--help-all"]: return try show(subcommands.map { helpMessage(for: $0) }.joined(separator: "\n\n"))
        case ["--generate-manual"]: return try show(manual.text)
        default: break
        }
        let settings = try Settings(arguments: arguments, environment: ProcessInfo.processInfo.environment)
        try check(settings)
        let entries = entries(settings, arguments)
        do {
            let parsed = try parse(words(entries, arguments), entries, arguments)
            guard let command = parsed as? any Subcommand else {
                // `help play`: the parser's own command, which answers by an error.
                var other = parsed
                try other.run()
                return ExitStatus.ok
            }
            return try command.perform(settings)
        } catch let error as CommandError where error.exitStatus == ExitStatus.usage {
            // What is wrong with a setting is told with its place.
            guard let entry = entries.first(where: { error.message.hasPrefix("--\($0.name) ") }),
                !arguments.contains(where: { $0 == "--" + entry.name || $0.hasPrefix("--\(entry.name)=") })
            else { throw error }
            throw CommandError("\(entry.origin): \(error.message)", exitStatus: ExitStatus.noInput)
        } catch  where exitCode(for: error).isSuccess {
            // Help and version are errors too, in the parser's way of speaking.
            return try show(fullMessage(for: error))
        }
    }

    private static func show(_ text: String) throws(OutputClosed) -> Int32 {
        var output = StandardOutput()
        try output.print(text + "\n")
        try output.flush()
        return ExitStatus.ok
    }

    /// Parses the settings and the user's words together.
    private static func parse(
        _ words: [String], _ entries: [Settings.Entry], _ given: [String]
    ) throws -> any ParsableCommand {
        do {
            return try parseAsRoot(words)
        } catch {
            guard !exitCode(for: error).isSuccess else { throw error }
            // A setting that cannot be read cannot be read alone either.
            for entry in entries {
                do {
                    _ = try parseAsRoot([words[0], entry.word])
                } catch let own where message(for: own) == message(for: error) {
                    throw CommandError("\(entry.origin): \(sentence(own))", exitStatus: ExitStatus.noInput)
                } catch {}
            }
            guard let better = complaint(about: given) else { throw error }
            throw CommandError(better, exitStatus: ExitStatus.usage)
        }
    }

    private static func sentence(_ error: any Error) -> String {
        message(for: error).split(separator: "\n").joined(separator: " ")
    }
}
