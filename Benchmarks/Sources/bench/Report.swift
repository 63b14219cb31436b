import ArgumentParser
import Foundation
import Rivals

/// `bench keep`: what another tool prints on standard input becomes a part of the report.
struct Keep: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keeps what another tool printed (standard input) for `bench report`.")
    @Option(help: "The folder of results.") var results: String
    @Option(name: .customLong("as"), help: "The part's name.") var name: String
    @Option(help: "Its title.") var title: String
    @Option(help: "What it is.") var text: String
    @Option(help: "The command that prints it.") var command: String

    func run() throws {
        let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
        let printed = input.trimmingCharacters(in: .newlines)
        guard !printed.isEmpty else { throw ValidationError("\(command) printed nothing") }
        try Part(tables: [Part.Table(title: title, text: text, printed: printed, command: command)])
            .save(as: name, in: results)
    }
}

/// `bench report`: RESULTS.md and its pictures from what the measurements left.
struct Report: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes RESULTS.md and the plots.")
    @Option(help: "The folder of results.") var results: String
    @Option(help: "Where RESULTS.md and plots/ go.") var output: String
    @Option(help: "What else ran on the machine meanwhile.") var load = "unknown"
    @Option(help: "How long building and measuring took.") var took: String?

    /// The parts in the order of the page.
    private static let names = [
        "real-notes", "accuracy", "lock", "costs", "transforms", "fftw", "kernels", "hops", "live", "startup", "clicks",
        "render",
    ]

    func run() throws {
        let parts = Self.names.map { ($0, Part($0, in: results)) }
        let plots = URL(filePath: output).appending(path: "plots")
        try FileManager.default.createDirectory(at: plots, withIntermediateDirectories: true)
        var page = """
            # Results

            Written by `make bench`: every figure below is printed by a command of this repository, and can be run again.

            | | |
            |---|---|
            \(try machine().map { "| \($0) | \($1) |" }.joined(separator: "\n"))


            """
        page += parts.flatMap { $0.1?.summary ?? [] }.map { "- \($0)\n" }.joined()
        page += parts.flatMap { $0.1.map(misses) ?? [] }.map { "- Missed: \($0)\n" }.joined()
        for (name, part) in parts {
            guard let part else {
                page += "\nNot measured in this run: \(name).\n"
                continue
            }
            for table in part.tables { page += markdown(table) }
            for chart in part.charts {
                try chart.svg.write(to: plots.appending(path: chart.file), atomically: true, encoding: .utf8)
                page += "\n![\(chart.title)](plots/\(chart.file))\n"
            }
        }
        try page.write(to: URL(filePath: output).appending(path: "RESULTS.md"), atomically: true, encoding: .utf8)
        let missing = parts.filter { $0.1 == nil }.map(\.0)
        print("written: \(output)/RESULTS.md, \(parts.count - missing.count) of \(parts.count) parts")
        if !missing.isEmpty { throw ValidationError("not measured: " + missing.joined(separator: ", ")) }
    }

    /// What a tool that knows its limits says it missed: its line, in which columns stand two spaces or more apart.
    private func misses(_ part: Part) -> [String] {
        part.tables.compactMap(\.printed).flatMap { $0.split(separator: "\n") }.filter { $0.contains("MISSED") }
            .map { String($0).replacing(#/ {2,}(?=MISSED|ok)/#, with: " ").replacing(#/ {2,}/#, with: "; ") }
    }

    private func markdown(_ table: Part.Table) -> String {
        var text = "\n## \(table.title)\n\n\(table.text.trimmingCharacters(in: .whitespaces))\n\n"
        if let printed = table.printed {
            text += "```text\n\(printed)\n```\n"
        } else {
            text += "| " + table.columns.joined(separator: " | ") + " |\n"
            text += "|---" + String(repeating: "|---:", count: table.columns.count - 1) + "|\n"
            for row in table.rows { text += "| " + row.joined(separator: " | ") + " |\n" }
        }
        return text + "\n`\(table.command)`\n"
    }

    /// What was measured where: the kind of machine, never its name or its folders.
    private func machine() throws -> [(String, String)] {
        let processor = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let swift = try Shell.output(of: ["swift", "--version"]).split(separator: "\n").first { $0.contains("Swift") }
        let commit = try? Shell.output(of: ["git", "log", "-1", "--format=%h, %cs"])
        let system = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12).replacing("\"", with: "")
        return [
            (
                "machine",
                "\(ProcessInfo.processInfo.activeProcessorCount) cores (virtual) of "
                    + (processor?.trimmingCharacters(in: .whitespaces) ?? "an unnamed processor")
            ),
            ("system", "\(system ?? "Linux"), " + (try Shell.output(of: ["uname", "-srm"])).trimmed),
            ("compiler", swift.map(String.init) ?? "?"),
            ("commit", commit?.trimmed ?? "not a repository"),
            ("load", load),
        ] + (took.map { [("took", $0)] } ?? [])
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
