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
}
