internal import Configuration
internal import FoundationEssentials
internal import Glibc
internal import Platform
internal import TerminalUI

/// Plans by name, in the order of a file: a set list, or the player's presets.
///
///     # name: what follows metronome on a command line
///     Blackbird: 96 --accent 4 --sub 8th
///     Money: 7/4 120 --accent 3+2+2
///     Second set: --map "songs/second set.map"
struct SetList: Sendable {
    struct Entry: Sendable, Equatable {
        let name: String
        /// The arguments of the command.
        let words: [String]
        /// Its line in the file, from 1.
        var line = 1
    }

    /// The file.
    let path: String
    private(set) var entries: [Entry] = []
    /// The entry that plays.
    private(set) var index = 0

    /// The most entries: each is laid out before the first one plays, in about a millisecond.
    private static let limit = 1_000
    /// The longest line, in bytes: longer than any that a person writes. The parser of command lines looks through a word once for
    /// each of its letters.
    private static let longestLine = 4_096

    /// Reads a list.
    ///
    /// - Parameter isNamed: whether the user has named the file, which may then be a pipe.
    init(reading path: String, isNamed: Bool = true) throws {
        self.path = path
        let bytes = try SmallFile.read(path, kind: "a set list", mayBePipe: isNamed)
        entries = try Self.entries(of: String(decoding: bytes, as: UTF8.self), path)
        guard !entries.isEmpty else {
            throw CommandError(.input, "\(path) has no entries", remedy: "write one per line: \"name: 120 --accent 4\"")
        }
    }

    /// The entries of a text, which may have none.
    static func entries(of text: String, _ path: String) throws(CommandError) -> [Entry] {
        var entries: [Entry] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let bare = line.drop { $0.isWhitespace }
            guard let first = bare.first, first != "#" else { continue }
            guard bare.utf8.count <= longestLine else {
                throw CommandError(
                    .input, "\(path), line \(number + 1): the line has more than 4,096 bytes",
                    remedy: "put what is long into a tempo map, and name that")
            }
            guard let colon = bare.firstIndex(of: ":"), colon > bare.startIndex else {
                throw CommandError(
                    .input, "\(path), line \(number + 1): there is no name before a colon",
                    remedy: "write \"name: 120 --accent 4\"")
            }
            guard entries.count < limit else {
                throw CommandError(
                    .input, "\(path) has more than 1,000 entries", remedy: "divide it into several lists")
            }
            entries.append(
                Entry(
                    name: String(bare[..<colon]).trimmed,
                    words: try words(bare[bare.index(after: colon)...], path, number + 1),
                    line: number + 1))
        }
        return entries
    }

    /// The player's presets; `nil` if there are none.
    static func presets() throws -> SetList? {
        guard let path = presetPath, FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            return try SetList(reading: path, isNamed: false)
        } catch let error as SmallFile.Failure {
            throw CommandError(.input, error.problem, remedy: presetRemedy)
        }
    }

    /// Beside the settings file.
    static var presetPath: String? {
        settingsFolder(environment: ProcessInfo.processInfo.environment).map { $0 + "/presets" }
    }

    /// Keeps a preset under a name, instead of one of the same name; creates the file.
    ///
    /// - Throws: also for a name that a line of the file could not hold.
    static func keep(_ words: [String], as given: String) throws {
        let name = given.trimmed
        let isLegible = !name.contains { $0 == ":" || $0.isNewline } && name.legible == name
        guard !name.isEmpty, !name.hasPrefix("#"), isLegible else {
            throw CommandError(
                .usage, "\"\(given.legible)\" cannot be the name of a preset",
                remedy: "use a name without a colon, a control character or a # before it")
        }
        guard let path = presetPath else {
            throw CommandError(.output, "there is no folder for settings", remedy: "set HOME or XDG_CONFIG_HOME")
        }
        var lines = ["# Presets of metronome, by name. metronome --preset NAME plays one."]
        if FileManager.default.fileExists(atPath: path) {
            let text = try presetText(path)
            lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
            while lines.last?.isEmpty == true { lines.removeLast() }
        } else {
            try SmallFile.makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]))
        }
        let line = name + ": " + words.map(quoted).joined(separator: " ")
        if let old = lines.firstIndex(where: { $0.split(separator: ":").first?.trimmed == name && !$0.hasPrefix("#") })
        {
            lines[old] = line
        } else {
            lines.append(line)
        }
        try SmallFile.replace(Array((lines.joined(separator: "\n") + "\n").utf8), at: path)
    }

    private static let presetRemedy = "move it away; presets are kept in an ordinary file of that name"

    /// The file that a preset is about to be added to, which is left as it is where it cannot be read as a list.
    private static func presetText(_ path: String) throws(CommandError) -> String {
        do {
            let bytes = try SmallFile.read(path, kind: "a list of presets", mayBePipe: false)
            let text = String(decoding: bytes, as: UTF8.self)
            guard try entries(of: text, path).count < limit else {
                throw CommandError(.output, "\(path) has 1,000 entries already", remedy: "remove some with an editor")
            }
            return text
        } catch let error as SmallFile.Failure {
            throw CommandError(.output, error.problem, remedy: presetRemedy)
        } catch let error as CommandError {
            throw CommandError(.output, error)
        } catch {
            throw CommandError(.output, "\(error)", remedy: presetRemedy)
        }
    }

    var current: Entry { entries[index] }

    /// Makes the entry of this name the current one.
    mutating func choose(_ name: String) throws {
        let key = name.lowercased()
        guard let found = entries.firstIndex(where: { $0.name.lowercased() == key }) else {
            throw CommandError(
                .usage, "\(path) has no \"\(name)\"",
                remedy: "choose one of " + entries.map(\.name).joined(separator: ", "))
        }
        index = found
    }

    /// Moves on by some entries; false, and stays, where the list ends.
    mutating func step(by count: Int) -> Bool {
        guard entries.indices.contains(index + count) else { return false }
        index += count
        return true
    }

    /// `2/5 Money`.
    var title: String { "\(index + 1)/\(entries.count) \(current.name)" }

    /// Words between blanks; quotes hold blanks together.
    private static func words(_ text: Substring, _ path: String, _ line: Int) throws(CommandError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                (quote, word) = (character, word ?? "")
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else {
            throw CommandError(.input, "\(path), line \(line): a quote is not closed", remedy: "close it")
        }
        return words + (word.map { [$0] } ?? [])
    }

    private static func quoted(_ word: String) -> String {
        word.contains { $0.isWhitespace || $0 == "'" } ? "\"\(word)\"" : word
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
