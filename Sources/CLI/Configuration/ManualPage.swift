package import ArgumentParser

/// A manual page in mdoc, generated from the parser's description of the commands and additional text.
///
/// - SeeAlso: mdoc(7).
package struct ManualPage: Sendable {
    /// A section: paragraphs, and items with a tag.
    package struct Section: Sendable {
        let title: String
        let paragraphs: [String]
        let items: [(tag: String, text: String)]

        package init(_ title: String, paragraphs: [String] = [], items: [(tag: String, text: String)] = []) {
            (self.title, self.paragraphs, self.items) = (title, paragraphs, items)
        }
    }

    private let name: String, summary: String, date: String
    private let synopsis: [String]
    private let description: [String]
    private let examples: [(command: String, text: String)]
    private let commands: [(name: String, type: any ParsableCommand.Type)]
    private let sections: [Section]

    /// A page.
    ///
    /// - Parameters:
    ///   - name: the name of the program.
    ///   - summary: what it does, in one line without a full stop.
    ///   - date: the date of the release, such as `November 21, 2026`.
    ///   - synopsis: the forms of the command line, without the name.
    ///   - description: paragraphs.
    ///   - examples: command lines and what they do.
    ///   - commands: the subcommands whose options are listed; the default one has an empty name.
    ///   - sections: the sections after the options.
    package init(
        name: String, summary: String, date: String, synopsis: [String], description: [String],
        examples: [(command: String, text: String)], commands: [(name: String, type: any ParsableCommand.Type)],
        sections: [Section]
    ) {
        (self.name, self.summary, self.date, self.synopsis) = (name, summary, date, synopsis)
        (self.description, self.examples, self.commands, self.sections) = (description, examples, commands, sections)
    }

    package var text: String {
        var text = ".Dd \(date)\n.Dt \(name.uppercased()) 1\n.Os WellTempered\n"
        text += ".Sh NAME\n.Nm \(name)\n.Nd \(plain(summary))\n"
        text += ".Sh SYNOPSIS\n"
        for line in synopsis { text += ".Nm\n" + plain(line) + "\n.br\n" }
        text += ".Sh DESCRIPTION\n" + paragraphs(description)
        text += ".Sh EXAMPLES\n"
        for example in examples { text += plain(example.text) + "\n.Pp\n.Dl \(plain(example.command))\n.Pp\n" }
        for (command, type) in commands {
            guard let described = CommandDescription(of: type) else { continue }
            text += command.isEmpty ? ".Sh OPTIONS\n" : ".Sh OPTIONS OF \(name.uppercased()) \(command.uppercased())\n"
            if !command.isEmpty { text += plain(described.abstract ?? "") + "\n" }
            for (title, options) in described.sections {
                if let title { text += ".Ss \(plain(title))\n" }
                text += ".Bl -tag -width Ds\n"
                for option in options {
                    text += ".It \(option.tag)\n" + (option.text.isEmpty ? "" : plain(option.text) + "\n")
                }
                text += ".El\n"
            }
        }
        for section in sections {
            text += ".Sh \(section.title)\n" + paragraphs(section.paragraphs)
            guard !section.items.isEmpty else { continue }
            text += ".Bl -tag -width Ds\n"
            for item in section.items { text += ".It Sy \"\(plain(item.tag))\"\n\(plain(item.text))\n" }
            text += ".El\n"
        }
        // The caller adds the last line feed.
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private func paragraphs(_ texts: [String]) -> String { texts.map { plain($0) + "\n" }.joined(separator: ".Pp\n") }
}

/// Escapes text for roff: no escape sequences, no requests at the start of a line, hyphens that can be copied.
private func plain(_ text: String) -> String {
    var escaped = ""
    for character in text {
        switch character {
        case "\\": escaped += "\\e"
        case "-": escaped += "\\-"
        case "\"": escaped += "\\(dq"
        case "'": escaped += "\\(aq"
        case "~": escaped += "\\(ti"
        case "^": escaped += "\\(ha"
        case "`": escaped += "\\(ga"
        case "·": escaped += "\\(pc"
        case "\n": escaped += " "
        default: escaped.append(character)
        }
    }
    // After a macro, roff would interpret punctuation and names of macros.
    return escaped.split(separator: " ").map { word in isSpecial(word) ? "\\&" + word : String(word) }
        .joined(separator: " ")
}

private func isSpecial(_ word: Substring) -> Bool {
    if word.hasPrefix(".") || word.allSatisfy({ ",:;()[]?!|".contains($0) }) { return true }
    return word.count == 2 && word.first?.isUppercase == true
}

extension CommandDescription {
    /// The arguments below their titles, in the order of the help. Those without a title come first; otherwise they would
    /// seem to belong to the section before.
    fileprivate var sections: [(title: String?, arguments: [Argument])] {
        var sections: [(title: String?, arguments: [Argument])] = []
        for argument in arguments ?? [] where argument.shouldDisplay {
            let index = sections.firstIndex { $0.title == argument.sectionTitle } ?? sections.count
            if index == sections.count { sections.append((argument.sectionTitle, [])) }
            sections[index].arguments.append(argument)
        }
        return sections.sorted { $0.title == nil && $1.title != nil }
    }
}

extension CommandDescription.Argument {
    fileprivate var tag: String {
        let value = plain(valueName ?? "value")
        if isPositional { return "Ar \(value)" }
        let names = (names ?? []).sorted { $0.name.count < $1.name.count }.map { name in
            "Fl " + (name.kind == "long" ? "Fl " : "") + plain(name.name)
        }
        return names.joined(separator: " , ") + (isFlag ? "" : " Ar \(value)")
    }

    fileprivate var text: String {
        let text = abstract ?? ""
        guard let defaultValue, !defaultValue.isEmpty, !isFlag else { return text }
        return text + " (default: \(defaultValue))"
    }
}
