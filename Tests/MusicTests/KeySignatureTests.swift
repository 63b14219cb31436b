import Music
import Testing

@Suite struct KeySignatureTests {
    /// The lengths of pitch classes, each once.
    private func lengths(_ notes: [String]) throws -> [Double] {
        var lengths = [Double](repeating: 0, count: 12)
        for name in notes { lengths[try Note.pitchClass(named: name)] += 1 }
        return lengths
    }

    @Test func `A scale is in its key, and its degrees count from the tonic`() throws {
        let d = KeySignature(lengths: try lengths(["D", "D", "E", "F#", "G", "A", "A", "B", "C#"]))
        #expect(d.fifths == 2 && !d.isMinor && d.tonic == 2)
        #expect(
            [62, 64, 66, 67, 69, 71, 73, 68, 72].map { d.degree(of: Note(midi: $0)) }
                == ["1", "2", "3", "4", "5", "6", "7", "#4", "b7"])
        let e = KeySignature(lengths: try lengths(["E", "E", "E", "F#", "G", "G", "A", "B", "B", "C", "D"]))
        #expect(e.fifths == 1 && e.isMinor && e.tonic == 4)
        #expect(
            [64, 66, 67, 69, 71, 72, 74, 75].map { e.degree(of: Note(midi: $0)) }
                == ["1", "2", "3", "4", "5", "6", "7", "#7"])
    }

    @Test func `A key that is known keeps its tonic, whatever the notes, and they choose its mode`() throws {
        let white = try lengths(["C", "D", "E", "F", "G", "A", "B"])
        for tonic in 0..<12 { #expect(KeySignature(tonic: tonic, lengths: white).tonic == tonic) }
        #expect(KeySignature(tonic: 9, lengths: white).isMinor && !KeySignature(tonic: 0, lengths: white).isMinor)
    }
}
