import Music
import TestSignals
import Testing

@Suite struct TranspositionTests {
    @Test func `The sign: a B flat clarinet sounds lower than it reads, so a tuner writes higher than it hears`() throws
    {
        let clarinet = try Transposition(named: "Bb clarinet")
        #expect(clarinet.sounds.semitones == -2)
        // Reads C5, sounds B♭4.
        #expect(clarinet.concert(written: try Note(named: "C5")) == (try Note(named: "Bb4")))
        // The tuner hears 440 Hz, A4; the clarinettist calls it B.
        #expect(clarinet.written(concert: try Note(named: "A4")) == (try Note(named: "B4")))
    }

    @Test func `Instruments sound where the orchestration books put them`() throws {
        // What sounds when the player reads middle C.
        let sounding = [
            ("concert", "C4"), ("A clarinet", "A3"), ("Eb clarinet", "Eb4"), ("alto sax", "Eb3"),
            ("E♭ Alto Sax", "Eb3"),
            ("tenor saxophone", "Bb2"), ("baritone sax", "Eb2"), ("F horn", "F3"), ("English horn", "F3"),
            ("piccolo", "C5"), ("glockenspiel", "C6"), ("guitar", "C3"), ("double bass", "C3"), ("alto flute", "G3"),
            ("bass clarinet", "Bb2"), ("Bb piccolo trumpet", "Bb4"), ("D trumpet", "D4"),
            ("contrabass clarinet", "Bb1"),
            ("oboe d'amore", "A3"), ("soprano recorder", "C5"), ("violin", "C4"),
        ]
        for (name, note) in sounding {
            let concert = try Transposition(named: name).concert(written: Note(midi: 60))
            #expect(concert == (try Note(named: note)), "\(name)")
        }
    }

    @Test func `A key or a signed interval will do instead of a name`() throws {
        #expect(try Transposition(named: "Bb").sounds.semitones == -2)
        #expect(try Transposition(named: "F").sounds.semitones == -7)
        #expect(try Transposition(named: "C").sounds.semitones == 0)
        #expect(try Transposition(named: "-M2").sounds.semitones == -2)
        #expect(try Transposition(named: "up octave").sounds.semitones == 12)
        // Without a sign it could mean either way: refused.
        #expect(throws: NameError.self) { try Transposition(named: "M2") }
        #expect(throws: NameError.self) { try Transposition(named: "bagpipe in E") }
    }

    @Test func `Writing and sounding undo each other for every instrument and note`() {
        var random = SeededGenerator(seed: 73)
        print("transposition property test, seed 73")
        for transposition in Transposition.all {
            for _ in 0..<10 {
                let note = Note(midi: Int.random(in: 0...127, using: &random))
                #expect(transposition.concert(written: transposition.written(concert: note)) == note)
                #expect(transposition.written(concert: note).midi == note.midi - transposition.sounds.semitones)
            }
        }
        #expect(Set(Transposition.all.map(\.name)).count == Transposition.all.count)
    }
}
