internal import ArgumentParser

/// What may stand in a place of a command line.
package enum Completion: Sendable {
    /// One of these words, each with what it means, or nothing.
    case words([(word: String, help: String)])
    /// A file with one of these endings; any file where there are none. Words may stand there too.
    case files([String], or: [String] = [])

    /// One of these words.
    package static func words(_ words: [String]) -> Completion { .words(words.map { ($0, "") }) }

    /// A recording.
    package static let recordings = Completion.files(["wav", "flac", "ogg", "mp3", "aiff", "opus"])
}

/// The candidates for the last word of a command line: what the completion scripts of all shells print.
///
/// Shells differ in how they find a word, quote it and show what fits. What fits is the same, so the scripts call the
/// command itself: `metronome --complete 120 --sou`.
struct Candidates: Equatable {
    /// The endings of files that fit too; `nil`: no file fits.
    var files: [String]?
    /// The words that fit, with what they mean.
    var words: [Word] = []

    struct Word: Equatable {
        let text: String
        let help: String
    }

    /// `words`, or `files` and their endings; then a line for each word, with its meaning after a tab.
    var lines: [String] {
        [files.map { (["files"] + $0).joined(separator: " ") } ?? "words"]
            + words.map { $0.help.isEmpty ? $0.text : $0.text + "\t" + $0.help }
    }
}

extension Program {
    package static func completion(of argument: String, in subcommand: String, given: [String]) -> Completion? { nil }

    /// What fits in the place of the last of these words, the arguments of the program so far.
    static func candidates(for words: [String]) -> Candidates {
        let (partial, before) = (words.last ?? "", Array(words.dropLast()))
        let named = subcommands.first { $0._commandName == before.first }
        let subcommand = named ?? subcommands[0]
        let name = subcommand._commandName
        let arguments = (CommandDescription(of: subcommand)?.arguments ?? []).filter(\.shouldDisplay)
        func argument(_ word: String) -> CommandDescription.Argument? {
            arguments.first { $0.words.contains(word) && !$0.isFlag }
        }
        let onlyFiles = before.contains("--")
        // --name=value
        if !onlyFiles, partial.hasPrefix("--"), let equals = partial.firstIndex(of: "="),
            let option = argument(String(partial[..<equals]))
        {
            let head = String(partial[...equals])
            var found = values(of: option, name, before, partial: String(partial[partial.index(after: equals)...]))
            found.words = found.words.map { Candidates.Word(text: head + $0.text, help: $0.help) }
            return found
        }
        if !onlyFiles, let last = before.last, let option = argument(last) {
            return values(of: option, name, before, partial: partial)
        }
        if !onlyFiles, partial.hasPrefix("-") {
            let all = arguments.filter { !$0.isPositional }.flatMap { argument in
                argument.words.map { Candidates.Word(text: $0, help: argument.summary) }
            }
            let more = [("--help", "Show the usual options."), ("--help-all", "Show all options.")]
                .map { Candidates.Word(text: $0.0, help: $0.1) }
            var seen: Set<String> = []
            return Candidates(
                words: (all + more).filter { $0.text.hasPrefix(partial) && seen.insert($0.text).inserted })
        }
        // The words before it that are no options and no values of options.
        var place = 0
        for (index, word) in before.enumerated() where !word.hasPrefix("-") || word == "-" {
            if index == 0, named != nil { continue }
            if index > 0, argument(before[index - 1]) != nil { continue }
            place += 1
        }
        let positional = arguments.filter(\.isPositional)
        var found = Candidates()
        if let argument = place < positional.count ? positional[place] : positional.last {
            found = values(of: argument, name, before, partial: partial)
        }
        if before.isEmpty {
            found.words =
                subcommands.dropFirst().map {
                    Candidates.Word(text: $0._commandName, help: $0.configuration.abstract)
                }.filter { $0.text.hasPrefix(partial) } + found.words
        }
        return found
    }

    private static func values(
        of argument: CommandDescription.Argument, _ subcommand: String, _ given: [String], partial: String
    ) -> Candidates {
        let name = argument.name("long") ?? argument.valueName ?? ""
        var found = Candidates()
        switch argument.allValues.map({ Completion.words($0) })
            ?? completion(of: name, in: subcommand, given: given) ?? (name == "config" ? .files(["toml"]) : nil)
        {
        case .words(let words): found.words = words.map { Candidates.Word(text: $0.word, help: $0.help) }
        case .files(let endings, or: let words):
            found = Candidates(files: endings, words: words.map { Candidates.Word(text: $0, help: "") })
        case nil: break
        }
        found.words.removeAll { !$0.text.hasPrefix(partial) }
        return found
    }
}

extension CommandDescription.Argument {
    /// Its names as they are typed.
    fileprivate var words: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }

    /// The first sentence of its help.
    fileprivate var summary: String {
        let text = (abstract ?? "").split(separator: "\n").joined(separator: " ")
        guard let end = text.firstRange(of: ". ")?.lowerBound ?? text.firstRange(of: ": ")?.lowerBound else {
            return text
        }
        return String(text[..<end])
    }
}
