/// A musical interval on the twelve-tone keyboard, in semitones: positive is up.
package struct Interval: Sendable, Hashable {
    package var semitones: Int

    @_noLocks package init(semitones: Int) { self.semitones = semitones }

    /// The interval with this name: `M2`, `-m3`, `+P5`, `d5`, `A4`, `P8`, `M9`, `up M2`, `down octave`,
    /// `major second`, `perfect fifth`, `tone`, `semitone`, `octave`.
    ///
    /// `P`, `M`, `m`, `A`, `d` are perfect, major, minor, augmented, diminished. The number counts the steps of the staff: a
    /// second is 2, an octave 8, a ninth 9. Without a sign the interval goes up.
    package init(named text: some StringProtocol) throws(NameError) {
        var rest = Substring(text)
        var down = false
        if rest.hasPrefix("down ") || rest.hasPrefix("up ") {
            down = rest.hasPrefix("down ")
            rest = rest.dropFirst(down ? 5 : 3)
        } else if let sign = rest.first, "+-−".contains(sign) {
            down = sign != "+"
            rest.removeFirst()
        }
        let size = if let known = Self.words[lookupKey(rest)] { known } else { try Self.size(of: rest, in: text) }
        semitones = down ? -size : size
    }

    /// Reads a quality and a number: `M2`, `d5`, `P15`.
    private static func size(of name: Substring, in text: some StringProtocol) throws(NameError) -> Int {
        let column = text.count - name.count + 1
        guard let quality = name.first, "PMmAd".contains(quality) else {
            // A bare number most often means semitones.
            let names = ["P1", "m2", "M2", "m3", "M3", "P4", "A4", "P5", "m6", "M6", "m7", "M7", "P8"]
            let meant = Int(name).flatMap { names.indices.contains($0) ? "(\($0) semitones are \(names[$0]))" : nil }
            let rest = meant ?? "before the number, as in M2"
            throw .notAnInterval(text: String(text), column: column, expected: "P, M, m, A or d " + rest)
        }
        // Nine octaves: more than a keyboard has.
        guard let number = Int(name.dropFirst()), (1...64).contains(number), name.dropFirst().first != "+" else {
            throw .notAnInterval(text: String(text), column: column + 1, expected: "a number from 1 to 64")
        }
        let (octaves, step) = ((number - 1) / 7, (number - 1) % 7)
        let perfect = [0, 3, 4].contains(step)
        guard quality != "P" || perfect, !"Mm".contains(quality) || !perfect else {
            throw .notAnInterval(text: String(text), column: column, expected: perfect ? "P, A or d" : "M, m, A or d")
        }
        let natural = NoteSpelling.naturals[step] + 12 * octaves
        switch quality {
        case "m": return natural - 1
        case "A": return natural + 1
        case "d": return natural - (perfect ? 1 : 2)
        default: return natural
        }
    }

    private static let words: [String: Int] = {
        var words = [
            "unison": 0, "semitone": 1, "halfstep": 1, "tone": 2, "wholetone": 2, "wholestep": 2, "fourth": 5,
            "augmentedfourth": 6, "tritone": 6, "diminishedfifth": 6, "fifth": 7, "octave": 12,
        ]
        for (name, semitones) in [("second", 2), ("third", 4), ("sixth", 9), ("seventh", 11), ("ninth", 14)] {
            words["major" + name] = semitones
            words["minor" + name] = semitones - 1
        }
        for name in ["unison", "fourth", "fifth", "octave"] { words["perfect" + name] = words[name] }
        return words
    }()
}

extension Note {
    /// The note an interval above; below if the interval is negative.
    @_noLocks package static func + (note: Note, interval: Interval) -> Note {
        Note(midi: note.midi + interval.semitones)
    }

    /// The note an interval below; above if the interval is negative.
    @_noLocks package static func - (note: Note, interval: Interval) -> Note {
        Note(midi: note.midi - interval.semitones)
    }
}
