import Music
import TestSignals
import Testing

@Suite struct NoteSpellingTests {
    @Test func `Names are read with numbers or with marks`() throws {
        let names = [
            ("A4", 69), ("a4", 69), ("Bb3", 58), ("F#2", 42), ("c''", 72), ("C,", 24), ("CC", 24), ("CCC", 12),
            ("BBb", 34), ("bb'", 70), ("G♭-1", 6), ("C-1", 0), ("Cb4", 59), ("B#3", 60), ("Fx4", 67), ("Ebb4", 62),
            ("c′", 60), ("H3", 59), ("E♮4", 64), ("a,", nil), ("C'", nil), ("A", nil), ("", nil), ("A44", nil),
            ("A+4", nil), ("c'4", nil), ("X4", nil), ("A4 ", nil), (" A4", nil), ("#4", nil), ("A-", nil),
            ("A9999999999999999999999", nil), ("c" + String(repeating: "'", count: 400), nil),
        ]
        for (name, midi) in names {
            #expect((try? Note(named: name).midi) == midi, "\(name)")
        }
    }

    @Test func `An error points at the character and says what belongs there`() {
        let cases: [(String, Int)] = [("X4", 1), ("A", 2), ("F#", 3), ("c'4", 3), ("C'", 2), ("Bb3x", 3), ("", 1)]
        for (text, expected) in cases {
            #expect {
                try Note(named: text)
            } throws: { error in
                guard case .notANote(text, let column, let wanted) = error as? NameError else { return false }
                return column == expected && !wanted.isEmpty
            }
        }
    }

    @Test func `Random text is never a note unless it is spelled as one`() {
        let seed: UInt64 = 72
        print("note spelling fuzz, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let characters = Array("ABCDEFGHabcdefgh#b♯♭x',0123456789- +嬰")
        var accepted = 0
        for _ in 0..<5_000 {
            let text = String(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in characters.randomElement(using: &random) ?? "A" }
            )
            guard let note = try? Note(named: text) else { continue }
            accepted += 1
            // The oracle: a letter, accidentals, and either a number or marks, by an independent expression.
            #expect(text.wholeMatch(of: /([A-Ha-h])\1*[#b♯♭x]*(-?[0-9]+|'*|,*)/) != nil, "\(text) gave \(note)")
        }
        #expect(accepted > 50, "the oracle has seen accepted names")
    }

    @Test func `A pitch class has a letter and accidentals but no octave`() throws {
        #expect(try Note.pitchClass(named: "Bb") == 10)
        #expect(try Note.pitchClass(named: "Cb") == 11)
        #expect(try Note.pitchClass(named: "f#") == 6)
        #expect(throws: NameError.notANote(text: "Bb3", column: 3, expected: "#, b or the end")) {
            try Note.pitchClass(named: "Bb3")
        }
    }
}
