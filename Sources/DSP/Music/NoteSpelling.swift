extension Note {
    /// Reads an English name: `A4`, `Bb3`, `F#2`, `c''`, `C,`, `G♭-1`.
    ///
    /// A name is a letter from A to G (or H, the German B), any number of `#`, `♯`, `b`, `♭` and `x` (double sharp), and the
    /// octave. The octave is a number from -20 to 20, where middle C is C4 and the case of the letter is ignored; or
    /// Helmholtz marks, where small letters take `'` and capitals take `,` or are doubled (`CC` is `C,`). A name without an
    /// octave is an error.
    ///
    /// The octave belongs to the letter: `Cb4` sounds as B3 and `B#3` as C4.
    /// - SeeAlso: Young, "Terminology for Logarithmic Frequency Units", JASA 11, 1939; Helmholtz, "Die Lehre von den
    ///   Tonempfindungen", 1863.
    public init(named text: some StringProtocol) throws(NameError) { try self.init(named: text, bareOctaves: false) }

    /// As `init(named:)`. With `bareOctaves`, `c` is C3 and `C` is C2, as Helmholtz wrote them.
    init(named text: some StringProtocol, bareOctaves: Bool) throws(NameError) {
        var rest = Substring(text)
        guard let first = rest.first, let step = NoteSpelling.step(first) else {
            throw .notANote(text: String(text), column: 1, expected: "a letter from A to G")
        }
        rest.removeFirst()
        // Doubled capitals: CC is an octave below C, CCC two.
        var doubled = 0
        while first.isUppercase, rest.first == first {
            doubled += 1
            rest.removeFirst()
        }
        let alteration = NoteSpelling.alteration(&rest)
        let octave = try NoteSpelling.octave(
            String(rest), of: text, bare: bareOctaves, helmholtz: true, capital: first.isUppercase, doubled: doubled)
        self.init(midi: 12 * (octave + 1) + step + alteration)
    }

    /// Reads an English name without an octave (`Bb`, `F#`, `c`) as a pitch class, 0 (C) to 11 (B).
    public static func pitchClass(named text: some StringProtocol) throws(NameError) -> Int {
        var rest = Substring(text)
        guard let first = rest.popFirst(), let step = NoteSpelling.step(first) else {
            throw .notANote(text: String(text), column: 1, expected: "a letter from A to G")
        }
        let alteration = NoteSpelling.alteration(&rest)
        guard rest.isEmpty else {
            throw .notANote(text: String(text), column: text.count - rest.count + 1, expected: "#, b or the end")
        }
        return wrapped(step + alteration)
    }

    /// The letter (0 is C, 6 is B) and the accidental (-1, 0, +1) that a pitch class is written with.
    static func spelling(
        ofPitchClass pitchClass: Int, _ accidentals: NoteNaming.Accidentals
    ) -> (step: Int, alteration: Int) {
        let (naturals, key) = (NoteSpelling.naturals, wrapped(pitchClass))
        let step = accidentals == .sharps ? naturals.lastIndex { $0 <= key } : naturals.firstIndex { $0 >= key }
        return (step ?? 0, key - naturals[step ?? 0])
    }
}

/// The parts of a written note.
enum NoteSpelling {
    /// Semitones of C, D, E, F, G, A and B above C.
    static let naturals = [0, 2, 4, 5, 7, 9, 11]

    /// Semitones above C of a letter; H is B.
    static func step(_ letter: Character) -> Int? {
        switch letter {
        case "C", "c": 0
        case "D", "d": 2
        case "E", "e": 4
        case "F", "f": 5
        case "G", "g": 7
        case "A", "a": 9
        case "B", "b", "H", "h": 11
        default: nil
        }
    }

    /// Removes the accidentals from the front and returns their sum, in semitones.
    static func alteration(_ rest: inout Substring) -> Int {
        var alteration = 0
        while let next = rest.first {
            switch next {
            case "#", "♯": alteration += 1
            case "b", "♭": alteration -= 1
            case "x", "𝄪": alteration += 2
            case "𝄫": alteration -= 2
            case "♮": break
            default: return alteration
            }
            rest.removeFirst()
        }
        return alteration
    }

    /// Reads the octave at the end of a name as a scientific octave.
    ///
    /// - Parameters:
    ///   - rest: what follows the letter and its accidentals in the whole name, `text`.
    ///   - bare: whether a missing octave means the small or the great octave.
    ///   - helmholtz: whether Helmholtz marks are allowed; they depend on a capital and how often it was repeated.
    static func octave(
        _ rest: String, of text: some StringProtocol, bare: Bool, helmholtz: Bool, capital: Bool, doubled: Int = 0
    ) throws(NameError) -> Int {
        let column = text.count - rest.count + 1
        let marks = rest.prefix { "'’′ʹ".contains($0) }
        let commas = rest.prefix { ",͵".contains($0) }
        if doubled == 0, let number = Int(rest), (-20...20).contains(number), rest.first != "+" { return number }
        if bare, rest.isEmpty { return capital ? 2 - doubled : 3 }
        guard helmholtz else {
            throw .notANote(text: String(text), column: column, expected: "an octave from -20 to 20")
        }
        if !marks.isEmpty || !commas.isEmpty || doubled > 0 {
            guard marks.isEmpty || !capital else {
                throw .notANote(
                    text: String(text), column: column, expected: "a comma or a number, since ' follows small letters")
            }
            guard commas.isEmpty || capital else {
                throw .notANote(
                    text: String(text), column: column, expected: "' or a number, since a comma follows capitals")
            }
            let count = max(marks.count, commas.count)
            guard count == rest.count, count + doubled <= 20 else {
                throw .notANote(text: String(text), column: column + count, expected: "the end of the name")
            }
            return capital ? 2 - doubled - count : 3 + count
        }
        throw .notANote(
            text: String(text), column: column,
            expected: "an octave, as in \(text.prefix(1).uppercased())4, or marks, as in c'")
    }
}
