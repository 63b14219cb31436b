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

    /// 2 MiB: all settings of the three commands take a hundredth of it, and what the reader makes of as many takes 80 MB.
    private static let longest = 2 << 20

    /// The path; empty if no file was read.
    let path: String
    /// The settings of each table, such as `tuner` or `tuner-tone`, in the order of the file.
    let tables: [String: [Setting]]

    init() { (path, tables) = ("", [:]) }

    init(path: String) throws(CommandError) {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, kind: "a settings file", limit: Self.longest)
        } catch {
            throw CommandError(
                .input, error.problem, remedy: error.remedy + "; with `config --example` each command prints one")
        }
        // TOMLKit reads a C string, which ends with the first of such bytes.
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw CommandError(
                .input, "\(path) is no text in UTF-8",
                remedy: "save it as such; with `config --example` each command prints one")
        }
        try self.init(text: text, path: path)
    }

    init(text: String, path: String) throws(CommandError) {
        let root: TOMLTable
        do {
            // Before the headers, as that looks at the text with TOMLKit.
            if let line = TOMLValues.line(in: text) {
                throw CommandError(
                    .input, "\(path), line \(line): no setting has such a value, nor a list, a date or a time",
                    remedy: "set it to a text in quotes, a number, true or false")
            }
            if let line = Self.unreadableHeader(text) {
                throw CommandError(
                    .input, "\(path), line \(line): this is not the name of a table",
                    remedy: "write it as [tuner], without a point or another mark before it")
            }
            root = try TOMLTable(string: text)
        } catch let error as CommandError {
            throw error
        } catch {
            let parse = error as? TOMLParseError
            let problem = parse.map { ", line \($0.source.begin.line): \($0.description)" } ?? ": \(error)"
            throw CommandError(
                .input, path + problem, remedy: "correct it; with `config --example` each command prints a valid file")
        }
        let places = LineIndex(text)
        var tables: [String: [Setting]] = [:]
        var waiting: [(name: String, table: TOMLTable)] = [("", root)]
        while let (name, table) = waiting.popLast() {
            for key in table.keys {
                let line = places.line(of: key, in: name)
                guard let value = table[key] else { continue }
                if let inner = value.table {
                    waiting.append((name.isEmpty ? key : name + "." + key, inner))
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

    /// The line of the first table header that would end the program: TOMLKit 0.6 asserts that a table's name begins as a
    /// key does, instead of reporting an error.
    ///
    /// A line that looks like such a header may also be a part of a text or of a list. It is a header exactly if what
    /// precedes it is a valid file by itself.
    private static func unreadableHeader(_ text: String) -> Int? {
        let isBlank = { (scalar: Unicode.Scalar) in scalar == " " || scalar == "\t" }
        // By scalars, as the library reads: a combining mark does not hide a bracket.
        let body = text.unicodeScalars.drop { $0 == "\u{FEFF}" }
        let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let header = line.drop(while: isBlank)
            guard header.first == "[" else { continue }
            let inner = header.dropFirst()
            let name = (inner.first == "[" ? inner.dropFirst() : inner).drop(while: isBlank)
            if let first = name.first, isKeyStart(first) || first == "]" { continue }
            // With its line feed, which a carriage return needs.
            let before = lines[..<index].map { String($0) + "\n" }.joined()
            if (try? TOMLTable(string: before)) != nil { return index + 1 }
        }
        return nil
    }

    private static func isKeyStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "\"", "'": true
        default: false
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

/// The lines of the keys in a TOML file, for messages. The TOML parser does not report them.
private struct LineIndex {
    private var lines: [String: Int] = [:]

    init(_ text: String) {
        var table = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(line) { $0.isWhitespace }
            if line.hasPrefix("[") {
                table = Self.plain(line.drop { $0 == "[" }.prefix { $0 != "]" })
                lines[table + "\u{0}", default: index + 1] = index + 1
            } else if let equals = line.firstIndex(of: "=") {
                let whole = Self.plain(line[..<equals])
                let path = table.isEmpty ? whole : table + "." + whole
                lines[path] = lines[path] ?? index + 1
            }
        }
    }

    func line(of key: String, in table: String) -> Int {
        let path = table.isEmpty ? key : table + "." + key
        return lines[path] ?? lines[table + "\u{0}"] ?? 1
    }

    private static func plain(_ text: some StringProtocol) -> String {
        text.split(separator: ".").map {
            trimmed(trimmed($0) { $0.isWhitespace }) { $0 == "\"" || $0 == "'" }
        }.joined(separator: ".")
    }

    private static func trimmed(_ text: some StringProtocol, _ isMargin: (Character) -> Bool) -> Substring {
        let tail = Substring(text).drop(while: isMargin)
        return tail.lastIndex { !isMargin($0) }.map { tail[...$0] } ?? ""
    }
}
