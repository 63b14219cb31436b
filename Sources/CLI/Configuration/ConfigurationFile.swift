internal import Music
internal import Platform
internal import TOMLKit

/// The settings of both commands in TOML: a table for each command with the long names of its options.
///
///     [tuner]
///     a4 = 442
///     instrument = "guitar"
///
///     [tuner-tone]
///     color = "sine"
struct ConfigurationFile: Sendable {
    /// A setting and its place in the file.
    struct Setting: Sendable {
        let name: String
        /// The value as on the command line; `true` or `false` for a flag.
        let value: String
        let isTruth: Bool
        /// Its line, from 1.
        let line: Int
    }

    /// The path; empty if no file was read.
    let path: String
    /// The settings of each table, such as `tuner` or `tuner-tone`, in the order of the file.
    let tables: [String: [Setting]]

    init() { (path, tables) = ("", [:]) }

    /// - Parameter mayBePipe: whether the user has named it; a pipe in the place of the default file would be waited for.
    init(path: String, mayBePipe: Bool = true) throws(CommandError) {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, kind: "a settings file", mayBePipe: mayBePipe)
        } catch {
            throw CommandError(
                .input, error.problem, remedy: error.remedy + "; with `config --example` each command prints one")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.noText(bytes, path) }
        try self.init(text: text, path: path)
    }

    /// The error of the first line that is no text in UTF-8, or has a null byte.
    private static func noText(_ bytes: [UInt8], _ path: String) -> CommandError {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let damaged = lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }
        return CommandError(
            .input, "\(path), line \((damaged ?? 0) + 1): this is no text in UTF-8",
            remedy: "save it as such; with `config --example` each command prints one")
    }

    init(text: String, path: String) throws(CommandError) {
        let bytes = Array(text.utf8)
        // TOMLKit reads a C string, which ends with the first of such bytes. What it did not see it may not bear.
        if bytes.contains(0) { throw Self.noText(bytes, path) }
        // Before TOMLKit sees it.
        let scan = TOMLScan(bytes)
        if let fault = scan.fault {
            let (problem, remedy) =
                switch fault.kind {
                case .value:
                    (
                        "no setting has such a value, nor a list, a date or a time",
                        "set it to a text in quotes, a number, true or false"
                    )
                case .table:
                    (
                        "this is not the name of a table",
                        "write it as [tuner], without a point or another mark before it"
                    )
                case .depth: ("no name has so many parts", "write it as [tuner], and each setting on a line below it")
                }
            throw CommandError(.input, "\(path), line \(fault.line): \(problem)", remedy: remedy)
        }
        let root: TOMLTable
        do {
            root = try TOMLTable(string: text)
        } catch {
            let parse = error as? TOMLParseError
            let problem = parse.map { ", line \($0.source.begin.line): \($0.description)" } ?? ": \(error)"
            throw CommandError(
                .input, path + problem, remedy: "correct it; with `config --example` each command prints a valid file")
        }
        let places = TOMLLineIndex(scan.lines, bytes)
        var tables: [String: [Setting]] = [:]
        var waiting: [(names: [String], table: TOMLTable)] = [([], root)]
        while let (names, table) = waiting.popLast() {
            let name = names.joined(separator: ".")
            for key in table.keys {
                let line = places.line(of: key, in: names)
                guard let value = table[key] else { continue }
                if let inner = value.table {
                    waiting.append((names + [key], inner))
                    continue
                }
                let number = value.int.map { String($0) } ?? value.double.map { String($0) }
                guard let text = value.string ?? value.bool.map({ String($0) }) ?? number else {
                    throw CommandError(
                        .input, "\(path), line \(line): \(key) is a list or a date",
                        remedy: "set it to a text, a number, true or false")
                }
                tables[name, default: []].append(
                    Setting(name: key, value: text, isTruth: value.bool != nil, line: line))
            }
        }
        self.path = path
        self.tables = tables.mapValues { $0.sorted { $0.line < $1.line } }
        if let stray = tables[""]?.first {
            throw CommandError(
                .input, "\(path), line \(stray.line): \(stray.name) is outside of any table",
                remedy: "put it below [tuner], [metronome] or [musicstand]")
        }
    }

    /// The path of the file that is read by default.
    static func standardPath(environment: [String: String]) -> String? {
        settingsFolder(environment: environment).map { $0 + "/config.toml" }
    }
}

/// The folder of the settings file and of presets.
package func settingsFolder(environment: [String: String]) -> String? {
    let folder =
        environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? environment["HOME"].map { $0 + "/.config" }
    return folder.map { $0 + "/well-tempered" }
}
