import Foundation

/// A command line of a page, and the output that the page shows for it.
public struct Example: Sendable, CustomStringConvertible {
    /// Its place in the page.
    public let place: String
    /// The line, for a shell.
    public let command: String
    /// The lines below it, if the page shows a session.
    public fileprivate(set) var output: [String] = []

    /// The place and the command.
    public var description: String { "\(place): \(command)" }

    /// Those of a page in Markdown: every line of a block marked `sh`, every line behind a `$` of one marked `console`, and
    /// every command line in the text.
    public static func all(inMarkdown text: String, named name: String) -> [Example] {
        var examples: [Example] = []
        var block: Substring?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let place = "\(name), line \(index + 1)"
            if line.hasPrefix("```") {
                block = block == nil ? line.dropFirst(3) : nil
            } else if block == "sh", !line.isEmpty {
                examples.append(Example(place: place, command: uncommented(line)))
            } else if block == "console", line.hasPrefix("$ ") {
                examples.append(Example(place: place, command: uncommented(line.dropFirst(2))))
            } else if block == "console", !line.isEmpty, !examples.isEmpty {
                examples[examples.count - 1].output.append(String(line))
            } else if block == nil {
                for span in line.matches(of: /`((?:tuner|metronome|make|swift|arecord) [^`]+)`/) {
                    examples.append(Example(place: place, command: String(span.1)))
                }
            }
        }
        return examples
    }

    /// The examples of a manual page in mdoc: its displayed lines.
    public static func all(inManual text: String, named name: String) -> [Example] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            guard line.hasPrefix(".Dl ") else { return nil }
            var command = String(line.dropFirst(4)).replacing("\\&", with: "")
            for (escape, character) in [
                ("\\-", "-"), ("\\(dq", "\""), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\(ga", "`"),
            ] { command = command.replacing(escape, with: character) }
            return Example(place: "\(name), line \(index + 1)", command: command)
        }
    }

    /// The examples at the start of a help text: the indented lines above the synopsis.
    public static func all(inHelp text: String, of name: String) -> [Example] {
        text.split(separator: "\n").enumerated().filter { $1.hasPrefix("  \(name) ") }.map { index, line in
            // Two spaces and more before what it does.
            let command = line.dropFirst(2).firstRange(of: "  ").map { line.dropFirst(2)[..<$0.lowerBound] }
            return Example(place: "\(name) --help, line \(index + 1)", command: String(command ?? line.dropFirst(2)))
        }
    }

    private static func uncommented(_ line: Substring) -> String {
        String(line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line).trimmingCharacters(in: .whitespaces)
    }
}
