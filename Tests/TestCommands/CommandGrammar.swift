public import Foundation

/// The options of one of our commands, as its own parser describes them, to make random command lines of.
public struct CommandGrammar: Sendable {
    /// A subcommand and its options.
    private struct Form {
        let name: String
        let options: [(names: [String], takesValue: Bool)]
    }

    private let forms: [Form]
    private let sane: [String: [String]]
    private let words: [String], insane: [String]

    /// Asks a command for its options.
    ///
    /// - Parameters:
    ///   - sane: values by the long name of their option.
    ///   - words: positional arguments.
    ///   - insane: values that few options accept.
    public init(
        of command: BuiltCommand, sane: [String: [String]], words: [String], insane: [String] = Self.nonsense
    ) throws {
        let told = try command.run(["--experimental-dump-help"])
        forms = try JSONDecoder().decode(Tool.self, from: Data(told.output.utf8)).command.subcommands.map { command in
            Form(
                name: command.commandName,
                options: (command.arguments ?? []).compactMap { argument in
                    guard let names = argument.names, !names.isEmpty else { return nil }
                    let spelled = names.map { ($0.kind == "short" ? "-" : "--") + $0.name }
                    return (spelled, argument.kind == "option")
                })
        }
        (self.sane, self.words, self.insane) = (sane, words, insane)
    }

    /// Overflowing and malformed numbers, empty text, shell and terminal metacharacters.
    public static let nonsense = [
        "", " ", "-", "--", "-1", "0", "-0", "1e9", "1e-9", "nan", "inf", "-inf", "99999999999999999999", "0x10", "1/0",
        "é", "日本", "\u{1B}[31m", "a\nb", "\t", "..", "/", "/no/such/dir/x.wav", "/dev/full", "missing.flac", "=",
        "%s%n",
        "$(id)", "1:0", "0:0", "3+2+", "X.x?", "-Z", "--=", "--nope", "9223372036854775807", "-9223372036854775808",
        "A4", "H", "x.scl", String(repeating: "9", count: 400), String(repeating: "x/", count: 300),
    ]

    /// The long names of all options.
    public var optionNames: Set<String> { Set(forms.flatMap { $0.options.compactMap { $0.names.last } }) }

    /// A random command line.
    ///
    /// - Parameter tried: receives the options on it.
    public func line(
        using generator: inout some RandomNumberGenerator, tried: inout Set<String>
    ) -> [String] {
        // The first subcommand is the default, and has the most options.
        let form = Bool.random(using: &generator) ? forms[0] : forms.randomElement(using: &generator) ?? forms[0]
        var line: [String] = []
        if form.name != forms[0].name || Int.random(in: 0..<4, using: &generator) == 0 { line.append(form.name) }
        for _ in 0..<Int.random(in: 0...5, using: &generator) {
            // Options that were on no line yet come first in one case of four, or a rare one would be on none.
            let untried = form.options.filter { !tried.contains($0.names.last ?? "") }
            let fresh = Int.random(in: 0..<4, using: &generator) == 0 ? untried.randomElement(using: &generator) : nil
            guard let option = fresh ?? form.options.randomElement(using: &generator), let long = option.names.last,
                let name = option.names.randomElement(using: &generator)
            else { continue }
            // Rarely, as these end the command at once.
            if ["--help", "--version"].contains(long), Int.random(in: 0..<8, using: &generator) > 0 { continue }
            tried.insert(long)
            guard option.takesValue else {
                line.append(name)
                continue
            }
            let known = sane[String(long.drop { $0 == "-" })] ?? words
            let value = (isSane(&generator) ? known : insane).randomElement(using: &generator) ?? ""
            if name.hasPrefix("--"), Bool.random(using: &generator) {
                line.append("\(name)=\(value)")
            } else {
                line += [name, value]
            }
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let word = (isSane(&generator) ? words : insane).randomElement(using: &generator) ?? ""
            line.insert(word, at: Int.random(in: min(1, line.count)...line.count, using: &generator))
        }
        return line
    }

    /// True three times out of four: otherwise few lines would get past their first option.
    private func isSane(_ generator: inout some RandomNumberGenerator) -> Bool {
        Int.random(in: 0..<4, using: &generator) > 0
    }

    private struct Tool: Decodable { let command: Command }
    private struct Command: Decodable {
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Subcommand]
    }
    private struct Subcommand: Decodable {
        let commandName: String
        let arguments: [Argument]?
    }
    private struct Argument: Decodable {
        let kind: String
        let names: [Name]?
    }
    private struct Name: Decodable {
        let kind: String
        let name: String
    }
}

extension BuiltCommand {
    /// Runs random command lines in a folder of their own, without a sound card, limited to files of 1 MB and 20 seconds of
    /// processor time.
    ///
    /// - Parameter check: receives each line and its outcome.
    /// - Returns: the count of each exit status, and the options that were on no line.
    public func runLines(
        _ count: Int, of grammar: CommandGrammar, in folder: URL, using generator: inout some RandomNumberGenerator,
        check: (_ line: [String], Outcome) throws -> Void
    ) throws -> (statuses: [Int32: Int], untried: Set<String>) {
        var (seen, tried): ([Int32: Int], Set<String>) = ([:], [])
        for _ in 0..<count {
            let line = grammar.line(using: &generator, tried: &tried)
            let outcome = try BuiltCommand(shell: ()).run(
                ["-c", "ulimit -f 1024 -t 20; exec \"$0\" \"$@\"", executable.path()] + line,
                environment: ["XDG_CONFIG_HOME": folder.path() + "/none", "HOME": folder.path()], in: folder, limit: 40)
            seen[outcome.status, default: 0] += 1
            try check(line, outcome)
        }
        return (seen, grammar.optionNames.subtracting(tried))
    }
}
