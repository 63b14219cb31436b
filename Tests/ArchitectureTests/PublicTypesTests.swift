import Foundation
import Testing

/// The types that an importer sees, and where it can read about each of them.
@Suite struct PublicTypesTests {
    /// A declaration of a public type, as swift-format lays it out: attributes first, on the same line or above it.
    private static var declaration: Regex<(Substring, Substring)> {
        #/(?m)^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*public +(?:final +|indirect +)*(?:struct|enum|class|actor|protocol|typealias) +(\w+)/#
    }

    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files below a folder whose names end in one of `endings`.
    private func texts(_ folder: String, _ endings: String...) throws -> [(path: String, text: String)] {
        let folder = root.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter { path in endings.contains { path.hasSuffix($0) } && !path.contains(".build") }
            .map { ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }

    /// The names of the public types of the DSP and IO modules. What `@_spi` hides from importers is not public.
    private func publicTypes() throws -> [String] {
        try (texts("Sources/DSP", ".swift") + texts("Sources/IO", ".swift"))
            .filter { !$0.path.hasPrefix("EmbeddingC/") }
            .flatMap { file in
                file.text.matches(of: Self.declaration).filter { !$0.0.contains("@_spi") }.map { String($0.1) }
            }
    }

    @Test func `The library products have at most 105 public types`() throws {
        let types = try publicTypes()
        #expect(types.count <= 105, "\(types.count) public types: make what only our own modules need `package`")
        #expect(types.contains("TunerEngine") && types.contains("PlaybackStream"), "both products are counted")
        #expect(types.contains("Producer"), "nested types are counted")
    }

    @Test func `Every public type is named in a sample, a command or the documentation`() throws {
        let readers =
            try texts("samples", ".swift") + texts("Sources/CLI", ".swift")
            + texts("Sources/DSP/WellTempered/WellTempered.docc", ".md")
        let words = readers.reduce(into: Set<Substring>()) { words, file in
            // The topics of the catalogue are a list of all types.
            for line in file.text.split(separator: "\n") where !line.hasPrefix("- ``") {
                words.formUnion(line.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
            }
        }
        for type in try publicTypes() {
            let isNamed = words.contains(Substring(type))
            #expect(isNamed, "no sample, command or article names \(type)")
        }
    }

    @Test func `Every public type of the DSP has a place in the catalogue`() throws {
        let catalogue = try String(
            contentsOf: root.appending(path: "Sources/DSP/WellTempered/WellTempered.docc/WellTempered.md"),
            encoding: .utf8)
        for (path, text) in try texts("Sources/DSP", ".swift") where !path.hasPrefix("EmbeddingC/") {
            for match in text.matches(of: Self.declaration) where !match.0.contains("@_spi") {
                // A nested type has its place under its outer type.
                guard !match.0.hasPrefix(" ") else { continue }
                #expect(catalogue.contains("``\(match.1)``"), "\(match.1) of \(path) is missing in the topics")
            }
        }
    }

    @Test func `No public declaration takes or returns a raw pointer, except in the C interface`() throws {
        let files = try texts("Sources/DSP", ".swift") + texts("Sources/IO", ".swift")
        for (path, text) in files where !path.hasPrefix("EmbeddingC/") {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for index in lines.indices where lines[index].contains(/^[^\/]*\bpublic (?!import)/) {
                // A signature goes on until its parentheses are closed.
                var signature = String(lines[index])
                for line in lines[(index + 1)...] {
                    if signature.count(where: { $0 == "(" }) <= signature.count(where: { $0 == ")" }) { break }
                    signature += line
                }
                #expect(!signature.prefix { $0 != "{" }.contains("Unsafe"), "\(path): \(signature)")
            }
        }
    }

    /// Names that differ in case only are one file on some file systems, and one product to some tools.
    @Test func `No two products have names that differ only in case`() throws {
        let package = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let names = package.matches(of: /\.library\(\s*name: "(\w+)"/).map { String($0.1) }
        #expect(names.count >= 3 && Set(names.map { $0.lowercased() }).count == names.count, "\(names)")
    }
}
