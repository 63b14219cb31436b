internal import ArgumentParser

/// The parser of command lines, and what it says of those that it refuses.
extension Program {
    /// Parses the settings and the user's arguments together.
    static func parse(
        _ words: [String], _ entries: [Settings.Entry], _ given: [String]
    ) throws -> any ParsableCommand {
        guard words.prefix(while: { $0 != "--" }).count(where: { $0.hasPrefix("-") }) <= mostOptions else {
            throw CommandError(.usage, "there are more than 1,000 options", remedy: "give each option once")
        }
        do {
            return try parseAsRoot(words)
        } catch {
            // It throws a text that was asked for, too.
            if words.contains(where: mayAskForText), exitCode(for: error).isSuccess { throw error }
            let text = message(for: error)
            // Find the setting that fails, if it is a setting: it fails alone too.
            for entry in entries {
                do {
                    _ = try parseAsRoot([words[0], entry.word])
                } catch let own where message(for: own) == text {
                    throw CommandError(
                        .input, "\(entry.origin): \(sentence(of: text))",
                        remedy: "change the setting; `\(programName) --help-all` lists the values")
                } catch {}
            }
            let refused = RefusedArguments(sentence: sentence(of: text), help: help(for: given))
            let better =
                complaint(about: given) ?? complaint(aboutNegativeValueIn: given, refused)
                ?? complaint(aboutSubcommandIn: given)
            throw better ?? refused
        }
    }

    /// The most options of a command line: the parser looks through all of them for each, and takes 4 s for 10,000.
    private static var mostOptions: Int { 1_000 }

    /// The command that tells how the subcommand of these arguments is used.
    private static func help(for given: [String]) -> String {
        let named = subcommands.first { $0._commandName == given.first }
        return ([programName] + [named?._commandName].compactMap(\.self) + ["--help"]).joined(separator: " ")
    }

    /// Whether the parser may take a word for a request for a text: the version, a completion script or a description. It is asked
    /// then what its error means, which takes it a millisecond.
    private static func mayAskForText(_ word: String) -> Bool {
        ["help", "version", "completion"].contains(where: word.contains)
    }

    /// A better error for `--tolerance -1`, of which the parser says that the value is missing.
    private static func complaint(aboutNegativeValueIn words: [String], _ refused: RefusedArguments) -> CommandError? {
        let (text, missing) = (refused.sentence, "Missing value for ")
        guard text.hasPrefix(missing) else { return nil }
        let pair = zip(words, words.dropFirst()).first { option, value in
            option.hasPrefix("-") && value.hasPrefix("-") && Double(value) != nil
        }
        guard let (_, value) = pair else { return nil }
        // The program's own help leaves some options out.
        let help = refused.help == "\(programName) --help" ? "\(programName) --help-all" : refused.help
        return CommandError(
            .usage, "\(text.dropFirst(missing.count)) cannot be \(value)",
            remedy: "give a value that is not negative; `\(help)` lists the ranges")
    }

    /// A better error for `--json review take.wav`, where the subcommand is meant: the arguments are right once it stands first.
    private static func complaint(aboutSubcommandIn words: [String]) -> CommandError? {
        guard let place = words.dropFirst().firstIndex(where: isSubcommand) else { return nil }
        var moved = words
        moved.insert(moved.remove(at: place), at: 0)
        guard (try? parseAsRoot(moved)) != nil else { return nil }
        return misplaced(words[place], remedy: "did you mean `\(([programName] + moved).joined(separator: " "))`?")
    }

    /// The error for the name of a subcommand where a file or a part of a plan is expected; `nil` for another word.
    package static func complaint(aboutSubcommand word: String) -> CommandError? {
        isSubcommand(word) ? misplaced(word, remedy: "use `\(programName) \(word) ...`") : nil
    }

    private static func misplaced(_ word: String, remedy: String) -> CommandError {
        CommandError(.usage, "\(word) is a subcommand, and stands before all options", remedy: remedy)
    }

    private static func isSubcommand(_ word: String) -> Bool {
        subcommands.dropFirst().contains { $0._commandName == word }
    }

    static func sentence(_ error: any Error) -> String {
        (error as? RefusedArguments)?.sentence ?? sentence(of: message(for: error))
    }

    private static func sentence(of message: String) -> String {
        let text = message.split(separator: "\n").joined(separator: " ")
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

/// Arguments that the parser refuses, and what it says of them. It takes a millisecond to say that, which is long enough to ask
/// only once.
struct RefusedArguments: Error {
    let sentence: String
    /// The command that tells more.
    let help: String
}
