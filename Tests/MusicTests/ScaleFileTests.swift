import Foundation
import Music
import TestSignals
import Testing

@Suite struct ScaleFileTests {
    @Test func `A file of every kind of pitch is read as the format says`() throws {
        let text = """
            ! meanquar.scl
            !
            A description   
             7
            !
             76.04900
            5/4 a third
            \t 193.15686 cents
              3/ 2
            ! in between
             -5.
             .5

             2
            ! the end
            """
        let scale = try Scale(parsing: text)
        #expect(scale.description == "A description")
        #expect(
            scale.pitches == [
                .cents(76.049), .ratio(5, 4), .cents(193.156_86), .ratio(3, 2), .cents(-5), .cents(0.5), .ratio(2, 1),
            ])
        #expect(scale.names.isEmpty)
        #expect(scale.period.value == 1_200)
        #expect(try Scale(parsing: text.replacing("\n", with: "\r\n")) == scale)
        #expect(try Scale(parsing: text.replacing("\n", with: "\r")) == scale)
        #expect(try Scale(parsing: "\u{FEFF}" + text) == scale)
        // An empty description is one, and a scale may be the single note 1/1.
        #expect(try Scale(parsing: "\n0\n").description == "")
        #expect(try Scale(parsing: "! c\n\n 0").count == 0)
    }

    @Test func `Names come from the words after the pitches, or from Ableton's comment`() throws {
        let words = "names\n 3\n 9/8 ! D *297*\n 200.0 = E\n 2/1 C\n"
        #expect(try Scale(parsing: words).names == ["C", "D", "E"])
        #expect(try Scale(parsing: "names\n3\n9/8 D\n5/4 E\n2/1\n").names == ["1", "D", "E"])
        let listed = "names\n3\n9/8 x\n5/4 y\n2/1\n! @ABL NOTE_NAMES Do \"re b\" mi\n"
        #expect(try Scale(parsing: listed).names == ["Do", "re b", "mi"])
        // Units, remarks, the same word twice: no names.
        #expect(try Scale(parsing: "no\n3\n100. cents\n200. cents\n2/1 cents\n").names.isEmpty)
        #expect(try Scale(parsing: "no\n3\n9/8 super-bipental\n5/4 E\n2/1\n").names.isEmpty)
        #expect(try Scale(parsing: "no\n3\n9/8 D\n5/4 D\n2/1\n").names.isEmpty)
        #expect(try Scale(parsing: "no\n3\n9/8 D\n5/4\n2/1\n! @ABL NOTE_NAMES C D\n").names.isEmpty)
    }

    @Test(arguments: [
        ("", 1, 1, "a description"),
        ("only a title", 2, 1, "the number of pitches"),
        ("t\n12 notes\n", 2, 4, "the end of the line"),
        ("t\n-3\n", 2, 1, "the number of pitches from 0 to 16384"),
        ("t\n99999\n", 2, 1, "the number of pitches from 0 to 16384"),
        ("t\n99999999999999999999999\n", 2, 1, "the number of pitches from 0 to 16384"),
        ("t\n2\n3/2\n", 4, 1, "pitch 2 of 2"),
        ("t\n1\n3/2\n2/1\n", 4, 1, "the end of the file, since the number of pitches is 1"),
        ("t\n1\n  fifth\n", 3, 3, "a ratio such as 3/2 or cents with a point such as 701.955"),
        ("t\n1\n-3/2\n", 3, 1, "a ratio above zero"),
        ("t\n1\n3/-2\n", 3, 3, "a whole number, the lower half of the ratio"),
        ("t\n1\n3/0\n", 3, 3, "a whole number above zero"),
        ("t\n1\n0/1\n", 3, 1, "a whole number above zero"),
        ("t\n1\n0\n", 3, 1, "a whole number above zero"),
        ("t\n1\n701,955\n", 3, 4, "a space or the end of the line after the pitch"),
        ("t\n1\n1.2.3\n", 3, 4, "a space or the end of the line after the pitch"),
        ("t\n1\n3/2/1\n", 3, 4, "a space or the end of the line after the pitch"),
        ("t\n1\n1e3\n", 3, 2, "a space or the end of the line after the pitch"),
        ("t\n1\n20x.0\n", 3, 3, "a space or the end of the line after the pitch"),
        ("t\n1\n697//441\n", 3, 5, "a whole number, the lower half of the ratio"),
        ("t\n1\n.\n", 3, 1, "cents with a point, as in 701.955"),
        ("t\n1\n1" + String(repeating: "0", count: 400) + ".\n", 3, 1, "cents with a point, as in 701.955"),
        ("t\n1\n1" + String(repeating: "0", count: 40) + "/3\n", 3, 1, "at most 38 digits, or cents instead"),
        ("t\n1\n３/２\n", 3, 1, "a ratio such as 3/2 or cents with a point such as 701.955"),
    ]) func `An error names line, column and what belongs there`(text: String, line: Int, column: Int, expected: String)
    {
        #expect {
            try Scale(parsing: text)
        } throws: { error in
            switch error as? TuningFileError {
            case .unexpected(.scale, line, column, expected, _): return true
            case .ended(.scale, line, expected): return column == 1
            default: return false
            }
        }
    }

    @Test func `Messages are one sentence with the place in it`() {
        let error = TuningFileError.unexpected(in: .scale, line: 3, column: 4, expected: "a number", found: "x")
        #expect(error.message == "line 3, column 4 of the scale is 'x': it should be a number")
        #expect {
            try Scale(parsing: "t\n1\n\u{1B}[2J\u{9B}bad\n")
        } throws: { error in
            // What the file holds must not drive the terminal.
            guard case .unexpected(_, _, _, _, let found) = error as? TuningFileError else { return false }
            return found == "?[2J?bad"
        }
    }

    @Test func `What is written reads back as the same scale`() throws {
        let seed: UInt64 = 61
        print("scale round trip, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<500 {
            let count = Int.random(in: 0...40, using: &random)
            let pitches = (0..<count).map { _ -> ScalePitch in
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    .ratio(
                        UInt128.random(in: 1...UInt128.max, using: &random), UInt128.random(in: 1...9, using: &random))
                case 1: .cents(Double.random(in: -2_400...2_400, using: &random))
                // Very small and very large: without an exponent in the file.
                case 2: .cents(random.logUniform(1e-30, 1e30) * (Bool.random(using: &random) ? 1 : -1))
                default: .cents(Double(Int.random(in: -100...1_200, using: &random)))
                }
            }
            let names = Bool.random(using: &random) ? (0..<count).map { "n \($0) ♯" } : []
            let description = ["", "!bang", "a\tb", "12", "Größe 平均律"][round % 5]
            let scale = Scale(description: description, pitches: pitches, names: names)
            #expect(try Scale(parsing: scale.text) == scale)
        }
        #expect(try Scale(parsing: Scale(description: " a\nb\r\nc ", pitches: []).text).description == "a b c")
    }

    /// The oracle: the format as one regular expression a line, written apart from the parser.
    private func oracle(_ text: String) -> Int? {
        // By scalars: to the format, a combining mark is a character of its own.
        let body = text.replacing("\r\n", with: "\n").unicodeScalars.split(omittingEmptySubsequences: false) {
            $0 == "\n" || $0 == "\r"
        }.filter { $0.first != "!" }.map { Substring($0) }
        guard body.count >= 2 else { return nil }
        let rest = body.dropFirst().filter { $0.unicodeScalars.contains { $0 != " " && $0 != "\t" } }
        guard let line = rest.first,
            let match = line.wholeMatch(of: /[ \t]*([0-9]{1,6})[ \t]*(!.*)?/.matchingSemantics(.unicodeScalar)),
            let count = Int(match.1), count <= 16_384, rest.count == count + 1
        else { return nil }
        let cents = /[ \t]*[+-]?([0-9]+\.[0-9]*|\.[0-9]+)($|[^0-9.\/,eE].*|,($|[^0-9].*)|[eE]($|[^0-9+-].*))/
            .matchingSemantics(.unicodeScalar)
        let ratio =
            /[ \t]*\+?0*[1-9][0-9]*(([ \t]*\/[ \t]*0*[1-9][0-9]*)($|[^0-9.\/,eE].*|,($|[^0-9].*)|[eE]($|[^0-9+-].*))|($|[^0-9.\/,eE \t].*|[ \t]+($|[^ \t\/].*)|,($|[^0-9].*)|[eE]($|[^0-9+-].*)))/
            .matchingSemantics(.unicodeScalar)
        let pitch = /[ \t]*[+-]?[0-9]*(\.[0-9]*|([ \t]*\/[ \t]*[0-9]+)?)/.matchingSemantics(.unicodeScalar)
        for line in rest.dropFirst() {
            guard line.wholeMatch(of: cents) != nil || line.wholeMatch(of: ratio) != nil,
                let number = line.prefixMatch(of: pitch)
            else { return nil }
            // A digit in the rest of the word: 20x.0.
            let word = line[number.range.upperBound...].unicodeScalars.prefix { !" \t!=".unicodeScalars.contains($0) }
            if word.contains(where: { ("0"..."9").contains($0) }) { return nil }
        }
        return count
    }

    @Test func `Of thousands of damaged files none crashes the reader and none is taken that the format forbids`() {
        let seed: UInt64 = 62
        print("scale fuzz, seed \(seed): the oracle is a regular expression for each line and the count of lines")
        var random = SeededGenerator(seed: seed)
        let good = [
            "! a\n!\ntitle\n 5\n!\n 76.049\n 5/4 E\n 696.578 ! G\n -3.5\n 2/1\n",
            "t\n3\n9/8 D\n5/4 E\n2\n! @ABL NOTE_NAMES \"a b\" c d\n", "\n1\n1200.0\n",
        ]
        let pieces =
            Array("0123456789./-+!, \t\n\r\"exE☃\u{0}\u{7F}\u{301}").map(String.init) + [
                "\r\n", "3/2", "1.5", "@ABL NOTE_NAMES",
            ]
        var accepted = 0
        var refused = 0
        for _ in 0..<5_000 {
            var characters = Array(good.randomElement(using: &random) ?? "")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0...characters.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: characters.insert(contentsOf: pieces.randomElement(using: &random) ?? "", at: place)
                case 1 where place < characters.count: characters.remove(at: place)
                case 2 where place < characters.count:
                    characters.replaceSubrange(place...place, with: pieces.randomElement(using: &random) ?? "")
                default: characters = Array(characters.prefix(place))
                }
            }
            let text = String(characters)
            let expected = oracle(text)
            let scale = try? Scale(parsing: text)
            if scale == nil { refused += 1 } else { accepted += 1 }
            #expect(scale?.count == expected, "\(text.debugDescription)")
        }
        #expect(accepted > 500 && refused > 500, "\(accepted) taken, \(refused) refused")
        print("scale fuzz: \(accepted) taken, \(refused) refused, as the oracle says")
    }

    @Test func `Random bytes never crash the reader`() {
        var random = SeededGenerator(seed: 63)
        for _ in 0..<1_000 {
            let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let text = scalaText(decoding: bytes)
            #expect((try? Scale(parsing: text))?.count == oracle(text))
        }
    }

    @Test func `Bytes are UTF-8 if they can be, else Latin-1`() {
        #expect(scalaText(decoding: Array("Größe".utf8)) == "Größe")
        #expect(scalaText(decoding: [0x47, 0x72, 0xF6, 0xDF, 0x65]) == "Größe")
    }

    /// Set `SCALA_ARCHIVE` to a folder of `.scl` files, such as Manuel Op de Coul's archive, to read them all.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SCALA_ARCHIVE"] != nil))
    func `Every file of the Scala archive is read`() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["SCALA_ARCHIVE"])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".scl") }.sorted()
        var read = 0
        var named = 0
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder).appending(path: file)))
            let scale: Scale
            do {
                scale = try Scale(parsing: scalaText(decoding: bytes))
            } catch {
                print("\(file): \(error.message)")
                continue
            }
            read += 1
            if !scale.names.isEmpty { named += 1 }
            #expect(try Scale(parsing: scale.text) == scale, "\(file) reads back")
        }
        print("Scala archive: \(read) of \(files.count) files read, \(named) with note names")
        #expect(Double(read) >= 0.999 * Double(files.count))
    }
}
