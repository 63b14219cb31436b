internal import TOMLKit

/// The lines of the keys in a TOML file, for messages. TOMLKit does not report them.
struct TOMLLineIndex {
    /// By the parts of a name, each after a zero.
    private var lines: [String: Int] = [:]

    init(_ named: [TOMLScan.Line], _ bytes: [UInt8]) {
        var table = ""
        for line in named {
            let parts = Self.parts(String(decoding: bytes[line.name], as: UTF8.self), isTable: line.isTable)
            let path = (line.isTable ? "" : table) + Self.path(parts)
            if line.isTable { table = path }
            lines[path] = lines[path] ?? line.number
        }
    }

    /// The line of a key, or of the nearest table around it that stands on a line of its own.
    ///
    /// - Parameter table: the names of the tables around the key, from the outermost.
    func line(of key: String, in table: [String]) -> Int {
        var names = table + [key]
        while !names.isEmpty {
            if let line = lines[Self.path(names)] { return line }
            names.removeLast()
        }
        return 1
    }

    private static func path(_ parts: [String]) -> String { parts.map { "\u{0}" + $0 }.joined() }

    /// The parts of a name as TOMLKit reads them.
    private static func parts(_ name: String, isTable: Bool) -> [String] {
        // Of a list of tables, the second bracket.
        let name = isTable && name.hasPrefix("[") ? String(name.dropFirst()) : name
        // The usual ones, without quotes, need no reader.
        let plain = name.split(separator: ".", omittingEmptySubsequences: false).map { part in
            String(part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
        }
        guard name.contains(where: { $0 == "\"" || $0 == "'" }) else { return plain }
        guard var table = try? TOMLTable(string: name + " = 0") else { return plain }
        var parts: [String] = []
        while let key = table.keys.first {
            parts.append(key)
            guard let inner = table[key]?.table else { break }
            table = inner
        }
        return parts
    }
}
