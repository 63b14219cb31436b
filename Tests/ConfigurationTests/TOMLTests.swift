import Foundation
import TestCommands
import Testing

@testable import Configuration

@Suite struct TOMLTests {
    /// A setting as both readers tell it.
    private struct Row: Decodable, Hashable {
        let path: [String]
        let isTruth: Bool
        let value: String

        /// Whether both are the same; numbers by their value, as both languages write some in other ways.
        func isSame(as other: Row) -> Bool {
            guard path == other.path, isTruth == other.isTruth else { return false }
            if value == other.value { return true }
            guard let (one, two) = Double(value).flatMap({ one in Double(other.value).map { (one, $0) } }) else {
                return false
            }
            return one == two || one.isNaN && two.isNaN
        }
    }

    /// Reads a list of texts by the reader of Python's own library; a text with a list or a date is none of ours.
    private static let reader = #"""
        from json import dump, load
        from sys import stdin, stdout
        from tomllib import loads

        def rows(table, path):
            for key, value in table.items():
                if isinstance(value, dict):
                    yield from rows(value, path + [key])
                elif isinstance(value, bool):
                    yield {"path": path + [key], "isTruth": True, "value": "true" if value else "false"}
                elif isinstance(value, (str, float)) or isinstance(value, int) and -2**63 <= value < 2**63:
                    yield {"path": path + [key], "isTruth": False, "value": str(value)}
                else:
                    raise ValueError

        def read(text):
            try:
                return list(rows(loads(text), []))
            except ValueError:
                return None

        dump([read(text) for text in load(stdin)], stdout)
        """#

    private func readByPython(_ texts: [String]) throws -> [[Row]?] {
        let outcome = try BuiltCommand(shell: ()).run(
            ["-c", "python3 -c \"$READER\""], input: try JSONEncoder().encode(texts),
            environment: ["READER": Self.reader])
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode([[Row]?].self, from: Data(outcome.output.utf8))
    }

    private func read(_ text: String) -> [Row]? {
        (try? TOMLTables(text))?.settings.map { Row(path: $0.path, isTruth: $0.isTruth, value: $0.value) }
    }

    @Test func `Ten thousand damaged texts are read, or refused, as Python's tomllib does`() throws {
        let seed: UInt64 = 20_261_126
        print("TOML, seed \(seed)")
        var state = seed
        func random(_ count: Int) -> Int {
            // The linear congruential generator of Knuth's MMIX.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let whole = [
            "[tuner]\na4 = 442\ndevice = \"hw:1\"\n[instruments.x]\nstandard = 'E2 A2'\n",
            "a.b.c = 1\na.d = true\n[a.e]\nf = -1_000\n[x.y]\n[x]\nz.u = 0x1F\nz.\"v w\" = 1.5e-3\n",
            "k = {a = 1, b.c = \"x\", d = {}}\n[t] # comment\n\"\" = \"\"\n'q' = inf\n[\"t\".u]\nv = 0b101\n",
            "s = \"\"\"\nline \\\n   on\r\n\"two\" \"\"\"\"\"\nr = '''\n'it' \\ is''''\nt = \"\\u00e9\\t\\\"\\\\\"\nn = +0o17\n",
            "[a.b.c]\nx = 1\n[a]\nb.d = 2\n[a.b]\ny = 3\n", "f = 3.14\ng = -0.0\nh = 6.626e-34\ni = nan\nj = 9_0.0_1\n",
        ]
        let pieces = [
            "[", "]", "[[", "]]", ".", "=", "\"", "'", "\n", "\r\n", "\r", " ", "\t", "#", "{", "}", ",", "a", "b", "x",
            "0",
            "1", "_", "-", "+", "e", "E", "\u{1}", "\u{7F}", "é", "\u{A0}", "\u{301}", "\"\"\"", "'''", "true", "false",
            "1979-05-27", "07:32:00", "\\", "\\u0041", "\\U0010FFFF", "\\uD800", "\\n", "0x", "0o8", "1e9", "inf",
            "[a]\n", "[a.b]\n", "a = 1\n", "a.b = 1\n", "a = {}\n", "{b = 1}", "x.y.z = 2\n", "9223372036854775808",
        ]
        let lines = [
            "[a]", "[a.b]", "[b]", "[b.a.b]", "[a.a]", "a = 1", "b = 'x'", "a.b = 2", "b.a = true", "a.b.a = 0",
            "b.b.b = -1e2",
            "a = {b = 1}", "b = {}", "a.a = {a.b = 1, a.a = 2}", "# b", "", "'a' = \"\"\"\n\\\n\n b\"\"\"",
            "\"b\" = 0b1_1",
        ]
        var texts = whole
        while texts.count < 10_000 {
            var text = Array(
                texts.count % 2 == 0
                    ? whole[random(whole.count)].unicodeScalars
                    : (0...random(5)).map { _ in lines[random(lines.count)] + "\n" }.joined().unicodeScalars)
            for _ in 0..<random(3) {
                let place = random(text.count)
                let piece = Array(pieces[random(pieces.count)].unicodeScalars)
                text.replaceSubrange(place..<min(text.count, place + random(2)), with: piece)
            }
            var body = String.UnicodeScalarView()
            body.append(contentsOf: text)
            texts.append(String(body))
        }
        let expected = try readByPython(texts)
        var read = 0
        for (text, expected) in zip(texts, expected) {
            let found = self.read(text)
            if found != nil { read += 1 }
            guard let found, let expected else {
                #expect(found == nil && expected == nil, "\(text.debugDescription): only one of them reads it")
                continue
            }
            let (ours, theirs) = (
                found.sorted { $0.path.lexicographicallyPrecedes($1.path) },
                expected.sorted { $0.path.lexicographicallyPrecedes($1.path) }
            )
            #expect(
                ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.isSame(as: $1) },
                "\(text.debugDescription): \(ours) and not \(theirs)")
        }
        #expect(self.read(whole[0])?.map(\.value) == ["442", "hw:1", "E2 A2"])
        // Neither all nor none.
        #expect(read > 2_000 && read < 8_000, "\(read) were read")
    }
}
