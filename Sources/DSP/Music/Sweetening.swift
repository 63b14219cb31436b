/// Offsets on top of the temperament, for single notes or for a pitch class in every octave.
///
/// Examples: a guitar's low E two cents flat, a steel guitar's thirds ten cents flat, a piano's stretch note by note.
package struct Sweetening: Sendable, Hashable {
    /// Offsets of single notes. They replace those of the pitch class.
    package var notes: [Note: Cents]
    /// Offsets of pitch classes, 0 (C) to 11 (B).
    package var pitchClasses: [Int: Cents]

    package init(notes: [Note: Cents] = [:], pitchClasses: [Int: Cents] = [:]) {
        (self.notes, self.pitchClasses) = (notes, pitchClasses)
    }

    /// Reads a list of offsets such as `E2=-2.3, B3=+1, F#=-2.5`. A name with an octave is one note; a name without is all
    /// octaves. A number alone, such as `-2`, moves every note.
    ///
    /// Offsets are cents from -600 to 600. `naming` is the language of the names: in German, `B` is B♭.
    package init(parsing text: some StringProtocol, naming: NoteNaming = NoteNaming()) throws(NameError) {
        self.init()
        if let all = Self.offset(text) {
            pitchClasses = Dictionary(uniqueKeysWithValues: (0..<12).map { ($0, all) })
            return
        }
        var column = 1
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            defer { column += entry.count + 1 }
            let word = entry.drop { $0 == " " }
            let start = column + entry.count - word.count
            let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else {
                throw .notAnOffset(text: String(text), column: start, expected: "a note, = and cents, as in E2=-2.3")
            }
            guard let value = Self.offset(halves[1]) else {
                throw .notAnOffset(
                    text: String(text), column: start + halves[0].count + 1,
                    expected: "cents from -600 to 600, as in -2.3")
            }
            let name = String(halves[0]).filter { $0 != " " }
            if let pitchClass = try? naming.pitchClass(named: name) {
                pitchClasses[pitchClass] = value
            } else if let note = try? naming.note(named: name) {
                notes[note] = value
            } else {
                throw .notAnOffset(text: String(text), column: start, expected: "a note name, as in E2 or F#")
            }
        }
    }

    /// A number of cents, up to a tritone: a larger offset would mean another note.
    private static func offset(_ text: some StringProtocol) -> Cents? {
        let number = String(text).filter { $0 != " " }
        guard number.unicodeScalars.allSatisfy({ isDigit($0) || $0 == "+" || $0 == "-" || $0 == "." }),
            let value = Double(number), abs(value) <= 600
        else { return nil }
        return Cents(value)
    }

    /// The offset of a note: its own, or its pitch class's, or none.
    package func offset(of note: Note) -> Cents { notes[note] ?? pitchClasses[note.pitchClass] ?? Cents(0) }
}
