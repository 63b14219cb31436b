import TestSignals
import Testing

@testable import Music

@Suite struct KeyboardMappingTests {
    /// A seven-note scale on the white keys, as Scala's own documentation describes such maps.
    private let whiteKeys = """
        ! Size of map:
        12
        ! First and last key:
        0
        127
        ! Middle:
        60
        ! Reference:
        69
        ! Frequency:
        440.0
        ! Formal octave:
        7
        ! Mapping:
        0
        x
        1
        X
        2
        3

        x ! none
        4
        x
        5
        x
        6
        """

    @Test func `A file is read line by line`() throws {
        let mapping = try KeyboardMapping(parsing: whiteKeys)
        #expect(mapping.keys == 0...127)
        #expect(mapping.middle.midi == 60)
        #expect(mapping.reference.midi == 69)
        #expect(mapping.frequency.value == 440)
        #expect(mapping.formalOctave == 7)
        #expect(mapping.pattern == [0, nil, 1, nil, 2, 3, nil, 4, nil, 5, nil, 6])
        #expect(try KeyboardMapping(parsing: whiteKeys.replacing("\n", with: "\r\n")) == mapping)
    }

    @Test func `Entries left out at the end sound nothing, and size 0 is linear`() throws {
        let short = try KeyboardMapping(parsing: "4\n10\n20\n12\n12\n100\n4\n0\n1\n")
        #expect(short.pattern == [0, 1, nil, nil])
        #expect(short.keys == 10...20)
        #expect(short.frequency.value == 100)
        #expect(try KeyboardMapping(parsing: "0\n0\n127\n60\n69\n440\n0").pattern.isEmpty)
    }

    @Test(arguments: [
        ("", 1, 1, "the size of the map"),
        ("12\n0\n127\n60\n69\n440.0\n", 7, 1, "the formal octave degree"),
        ("12\n0\n128\n", 3, 1, "the last key, not below the first, from 0 to 127"),
        ("12\n30\n20\n", 3, 1, "the last key, not below the first, from 30 to 127"),
        ("12\n-1\n", 2, 1, "the first key from 0 to 127"),
        ("12.5\n", 1, 3, "the end of the line"),
        ("0\n0\n127\n60\n69\n0.0\n", 6, 1, "the reference frequency in hertz, above zero, as in 440.0"),
        ("0\n0\n127\n60\n69\n-440\n", 6, 1, "the reference frequency in hertz, above zero, as in 440.0"),
        ("0\n0\n127\n60\n69\n440,0\n", 6, 4, "the end of the line"),
        ("0\n0\n127\n60\n69\n4.4.0\n", 6, 1, "the reference frequency in hertz, above zero, as in 440.0"),
        ("0\n0\n127\n60\n69\n440\n0\n0\n", 8, 1, "the end of the file, since the size of the map is 0"),
        ("1\n0\n127\n60\n69\n440\n0\n y\n", 8, 2, "a degree from 0 to 16384, or x for none"),
        ("1\n0\n127\n60\n69\n440\n0\n-1\n", 8, 1, "a degree from 0 to 16384, or x for none"),
        ("1\n0\n127\n60\n69\n440\n0\nxx\n", 8, 2, "the end of the line"),
    ]) func `An error names line, column and what belongs there`(text: String, line: Int, column: Int, expected: String)
    {
        #expect {
            try KeyboardMapping(parsing: text)
        } throws: { error in
            switch error as? TuningFileError {
            case .unexpected(.mapping, line, column, expected, _): return true
            case .ended(.mapping, line, expected): return column == 1
            default: return false
            }
        }
    }

    @Test func `What is written reads back as the same mapping`() throws {
        let seed: UInt64 = 64
        print("mapping round trip, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let first = Int.random(in: 0...127, using: &random)
            let mapping = KeyboardMapping(
                keys: first...Int.random(in: first...127, using: &random),
                middle: Note(midi: Int.random(in: 0...127, using: &random)),
                reference: Note(midi: Int.random(in: 0...127, using: &random)),
                frequency: random.logUniform(1e-8, 1e9).hertz, formalOctave: Int.random(in: 0...99, using: &random),
                pattern: (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    Bool.random(using: &random) ? nil : Int.random(in: 0...99, using: &random)
                })
            #expect(try KeyboardMapping(parsing: mapping.text) == mapping)
        }
    }

    /// The oracle: one regular expression a line, written apart from the parser.
    private func oracle(_ text: String) -> Bool {
        let lines = text.replacing("\r\n", with: "\n").unicodeScalars.split { $0 == "\n" || $0 == "\r" }
            .filter { $0.first != "!" && $0.contains { $0 != " " && $0 != "\t" } }.map { Substring($0) }
        let integer = /[ \t]*([0-9]+)[ \t]*(!.*)?/.matchingSemantics(.unicodeScalar)
        func number(_ index: Int, upTo limit: Int) -> Int? {
            guard index < lines.count, let match = lines[index].wholeMatch(of: integer), let value = Int(match.1),
                value <= limit
            else { return nil }
            return value
        }
        guard let size = number(0, upTo: 16_384), let first = number(1, upTo: 127), let last = number(2, upTo: 127),
            first <= last, number(3, upTo: 127) != nil, number(4, upTo: 127) != nil, lines.count >= 7,
            let frequency = lines[5].wholeMatch(
                of: /[ \t]*([0-9]+\.?[0-9]*|\.[0-9]+)[ \t]*(!.*)?/.matchingSemantics(.unicodeScalar)),
            frequency.1.contains(where: { $0 >= "1" && $0 <= "9" }), number(6, upTo: 16_384) != nil,
            lines.count <= 7 + size
        else { return false }
        return lines.indices.dropFirst(7).allSatisfy { index in
            number(index, upTo: 16_384) != nil
                || lines[index].wholeMatch(of: /[ \t]*[xX][ \t]*(!.*)?/.matchingSemantics(.unicodeScalar)) != nil
        }
    }

    @Test func `Of thousands of damaged files none crashes the reader and none is taken that the format forbids`() {
        let seed: UInt64 = 65
        print("mapping fuzz, seed \(seed): the oracle is a regular expression for each line")
        var random = SeededGenerator(seed: seed)
        let good = [whiteKeys, "0\n0\n127\n60\n69\n440.0\n0\n", "3\n0\n99\n60\n62\n.5\n12\n0\nx\n5\n"]
        let pieces =
            Array("0123456789./-+!, \t\n\rxX☃\u{0}\u{301}").map(String.init) + ["\r\n", "x\n", "127", "1.5", "0\n"]
        var accepted = 0
        for _ in 0..<5_000 {
            var characters = Array(good.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...characters.count, using: &random)
                switch Int.random(in: 0..<7, using: &random) {
                case 0...2: characters.insert(contentsOf: pieces.randomElement(using: &random) ?? "", at: place)
                case 3...5 where place < characters.count: characters.remove(at: place)
                default: characters = Array(characters.prefix(place))
                }
            }
            let text = String(characters)
            let taken = (try? KeyboardMapping(parsing: text)) != nil
            if taken { accepted += 1 }
            #expect(taken == oracle(text), "\(text.debugDescription)")
        }
        #expect(accepted > 500 && accepted < 4_500, "both kinds have been seen: \(accepted)")
        print("mapping fuzz: \(accepted) taken, \(5_000 - accepted) refused, as the oracle says")
    }
}
