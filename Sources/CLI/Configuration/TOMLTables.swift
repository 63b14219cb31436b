internal import Platform

/// The settings of a text in TOML, with their tables and lines.
struct TOMLTables {
    struct Setting {
        /// The names from the outermost table to the setting.
        let path: [String]
        /// The value as on the command line; `true` or `false` for a truth value.
        let value: String
        let isTruth: Bool
        /// Its line, from 1.
        let line: Int
    }

    /// In the order of the text.
    private(set) var settings: [Setting] = []
    private var scanner: TOMLScanner
    /// What each name is.
    private var kinds: [[String]: Kind] = [:]

    /// The most names: a file of the settings of all commands has some two hundred. It bounds the memory that a file takes.
    private static let mostNames = 100_000

    /// TOML lets no table be defined twice, and no value become a table.
    private enum Kind {
        case value
        /// `[a.b]` makes a table `b`, and `a` unless there is one; a header `[a]` may still follow.
        case header, outer
        /// `a.b = 1` makes a table `a`, to which other keys with points may add.
        case dotted
        /// `a = {}`: whole.
        case braces
    }

    init(_ text: String) throws(TOMLError) {
        scanner = TOMLScanner(text)
        var table: [String] = []
        try scanner.skipToContent()
        while scanner.next != nil {
            if scanner.take("[") {
                table = try header()
            } else {
                try setting(in: table)
            }
            guard kinds.count <= Self.mostNames else {
                throw scanner.error("there are more than 100,000 settings", "remove those that no command has")
            }
            let line = scanner.line
            try scanner.skipToContent()
            guard scanner.line > line || scanner.next == nil else {
                throw scanner.error("there is more on it than a setting", "write one setting on a line")
            }
        }
    }

    /// Reads a header after its bracket.
    private mutating func header() throws(TOMLError) -> [String] {
        let noName = (
            problem: "this is not the name of a table",
            remedy: "write it as [tuner], without a point or another mark before it"
        )
        let isList = scanner.take("[")
        let path = try scanner.key(or: noName)
        let name = path.joined(separator: ".").legible
        guard scanner.take("]") else { throw scanner.error(noName.problem, noName.remedy) }
        if isList { throw scanner.error("[[\(name)]] is a list", "write [\(name)], once") }
        for depth in 1..<path.count {
            let outer = Array(path[..<depth])
            switch kinds[outer] {
            case nil: kinds[outer] = .outer
            case .value, .braces: throw isThere(outer)
            default: break
            }
        }
        guard kinds[path] == nil || kinds[path] == .outer else { throw isThere(path) }
        kinds[path] = .header
        return path
    }

    /// Reads a key and its value.
    private mutating func setting(in table: [String]) throws(TOMLError) {
        let line = scanner.line
        let key = try scanner.key(
            or: ("this is neither a setting nor a table", "write it as a4 = 442, below [tuner]"))
        guard scanner.take("=") else {
            throw scanner.error(
                "there is no = after \(key.joined(separator: ".").legible)", "write it as a4 = 442, below [tuner]")
        }
        let path = table + key
        for depth in table.count + 1..<path.count {
            let outer = Array(path[..<depth])
            switch kinds[outer] {
            case nil, .outer: kinds[outer] = .dotted
            case .dotted: break
            default: throw isThere(outer)
            }
        }
        guard kinds[path] == nil else { throw isThere(path) }
        switch try scanner.value(of: key[key.count - 1]) {
        case .text(let text), .number(let text):
            settings.append(Setting(path: path, value: text, isTruth: false, line: line))
        case .truth(let isTrue):
            settings.append(Setting(path: path, value: "\(isTrue)", isTruth: true, line: line))
        case .table:
            try braces(path)
            kinds[path] = .braces
            return
        }
        kinds[path] = .value
    }

    /// Reads the keys of a table after its brace, and the brace that closes it.
    private mutating func braces(_ path: [String]) throws(TOMLError) {
        guard path.count <= TOMLScanner.mostParts else {
            throw scanner.error("tables stand in more than \(TOMLScanner.mostParts) others", "write them as [tuner]")
        }
        scanner.skipBlanks()
        if scanner.take("}") { return }
        repeat {
            try setting(in: path)
            scanner.skipBlanks()
        } while scanner.take(",")
        guard scanner.take("}") else { throw scanner.error("a brace is not closed", "close it on the same line") }
    }

    private func isThere(_ path: [String]) -> TOMLError {
        scanner.error("\(path.joined(separator: ".").legible) is there twice", "keep one of them")
    }
}
