import Music
import Testing

@Suite struct KeySignatureTests {
    /// Notes of these names, each of the same length.
    private func notes(_ names: [String]) throws -> [(note: Note, length: Double)] {
        try names.map { (Note(midi: 60 + (try Note.pitchClass(named: $0))), 1) }
    }

    @Test func `A scale is in its key, and its degrees count from the tonic`() throws {
        let d = KeySignature(of: try notes(["D", "D", "E", "F#", "G", "A", "A", "B", "C#"]))
        #expect(d.fifths == 2 && !d.isMinor && d.tonic == 2)
        #expect(
            [62, 64, 66, 67, 69, 71, 73, 68, 72].map { d.degree(of: Note(midi: $0)) }
                == ["1", "2", "3", "4", "5", "6", "7", "#4", "b7"])
        let e = KeySignature(of: try notes(["E", "E", "E", "F#", "G", "G", "A", "B", "B", "C", "D"]))
        #expect(e.fifths == 1 && e.isMinor && e.tonic == 4)
        #expect(
            [64, 66, 67, 69, 71, 72, 74, 75].map { e.degree(of: Note(midi: $0)) }
                == ["1", "2", "3", "4", "5", "6", "7", "#7"])
    }

    @Test func `A key that is known keeps its tonic, whatever the notes, and they choose its mode`() throws {
        let white = try notes(["C", "D", "E", "F", "G", "A", "B"])
        for tonic in 0..<12 { #expect(KeySignature(of: white, tonic: tonic).tonic == tonic) }
        #expect(KeySignature(of: white, tonic: 9).isMinor && !KeySignature(of: white, tonic: 0).isMinor)
    }

    /// Of all keys and all notes.
    @Test func `No note has a double accidental but the leading tone of a minor key, and each sounds as it is written`()
    {
        let letters = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
        for fifths in -6...6 {
            for isMinor in [false, true] {
                let key = KeySignature(fifths: fifths, isMinor: isMinor)
                for midi in 48..<72 {
                    let spelling = key.spelling(of: Note(midi: midi))
                    #expect((spelling.octave + 1) * 12 + (letters[spelling.step] ?? 0) + spelling.alter == midi)
                    let isLeading = isMinor && Note(midi: midi + 1).pitchClass == key.tonic
                    #expect(abs(spelling.alter) <= (isLeading ? 2 : 1), "\(key) \(spelling)")
                }
            }
        }
        // C double sharp leads to D sharp; in F sharp major it is D.
        #expect(KeySignature(fifths: 6, isMinor: true).spelling(of: Note(midi: 62)).step == "C")
        #expect(KeySignature(fifths: 6).spelling(of: Note(midi: 62)).step == "D")
    }
}
