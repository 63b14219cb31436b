/// How notes are written: the language, sharps or flats, and the notation of octaves.
///
///     NoteNaming(language: .german).name(of: Note(midi: 70))        // "Ais4"
///     NoteNaming(octaves: .helmholtz).name(of: Note(midi: 69))      // "a'"
///
/// `note(named:)` reads every name that it writes. Names are strings, so do not use it on the audio thread.
package struct NoteNaming: Sendable, Hashable {
    package enum Language: String, Sendable, Hashable, CaseIterable {
        /// C D E F G A B.
        case english
        /// C D E F G A H, where B is the English B♭; sharps end in -is, flats in -es.
        case german
        /// Fixed do: Do Re Mi Fa Sol La Si, with Do always C.
        case solfege
        /// Iroha: ハ ニ ホ ヘ ト イ ロ from C; 嬰 raises, 変 lowers.
        case japanese
        /// 다 라 마 바 사 가 나 from C; 올림 raises, 내림 lowers.
        case korean
        /// Hindustani letters with Sa on C: S r R g G m M P d D n N.
        case sargam

        /// Whether its names are letters, which Helmholtz' octaves need.
        fileprivate var usesLetters: Bool { self == .english || self == .german }
    }

    /// The choices that a program offers: English with sharps or flats, and the other languages.
    package enum Style: String, Sendable, CaseIterable {
        case sharps, flats, german, solfege, japanese, korean, sargam

        package var naming: NoteNaming {
            NoteNaming(
                language: Language(rawValue: rawValue) ?? .english,
                accidentals: Accidentals(rawValue: rawValue) ?? .sharps)
        }
        package var isASCII: Bool { (0..<12).allSatisfy { naming.name(ofPitchClass: $0).allSatisfy(\.isASCII) } }
        package var usesLetters: Bool { naming.language.usesLetters }
    }

    package enum Accidentals: String, Sendable, Hashable, CaseIterable {
        case sharps, flats
    }

    package enum Octaves: String, Sendable, Hashable, CaseIterable {
        /// A number that changes at C: middle C is C4 (Young, JASA 11, 1939).
        case scientific
        /// Letters and marks: `C,` `C` `c` `c'` `c''`, where `c'` is middle C (Helmholtz 1863). Only names of letters
        /// use it; others keep the number.
        case helmholtz
    }

    /// The names of the steps.
    package var language: Language
    /// Which of its two names a black key gets, where no key is given.
    package var accidentals: Accidentals
    /// The key whose notes are named: a black key gets the name that it has in a score in this key.
    package var key: KeySignature?
    /// How the octave is written.
    package var octaves: Octaves
    /// Whether accidentals are `♯ ♭` rather than `# b`. It has no effect on a language that has words for them.
    package var symbols: Bool

    /// A naming. By default: English, sharps, scientific octaves, ASCII.
    package init(
        language: Language = .english, accidentals: Accidentals = .sharps, octaves: Octaves = .scientific,
        symbols: Bool = false
    ) { (self.language, self.accidentals, self.octaves, self.symbols) = (language, accidentals, octaves, symbols) }

    /// The name without the octave: `F#`, `Fis`, `Fa#`, `嬰ヘ`, `올림바`, `M`.
    ///
    /// - Parameter pitchClass: 0 is C; taken modulo 12.
    package func name(ofPitchClass pitchClass: Int) -> String {
        Self.name(of: wrapped(pitchClass), language, accidentals(of: pitchClass), symbols: symbols)
    }

    private func accidentals(of pitchClass: Int) -> Accidentals {
        guard let key else { return accidentals }
        return key.spelling(of: Note(midi: wrapped(pitchClass))).alter > 0 ? .sharps : .flats
    }

    /// Name and octave, as in `F#3`, `fis`, `올림바3`.
    package func name(of note: Note) -> String {
        let step = name(ofPitchClass: note.pitchClass)
        guard usesMarks else { return step + String(note.octave) }
        // c' begins at octave 4: small letters from octave 3 up, capitals below.
        return note.octave >= 3
            ? step.lowercased() + String(repeating: "'", count: note.octave - 3)
            : step + String(repeating: ",", count: 2 - note.octave)
    }

    /// Reads a name with its octave: the inverse of `name(of:)`.
    ///
    /// It accepts sharps, flats, their symbols and both notations of octaves, whichever this naming writes. It also accepts
    /// English names, except that in German `B` is B♭ and `H` is B. A letter without an octave (`c`, `C`) is a note only if
    /// `octaves` is `helmholtz`.
    package func note(named text: some StringProtocol) throws(NameError) -> Note {
        guard language != .english, let (pitchClass, rest) = Self.longestName(in: text, language) else {
            return try Note(named: text, bareOctaves: usesMarks)
        }
        do {
            let octave = try NoteSpelling.octave(
                rest, of: text, bare: usesMarks, helmholtz: language.usesLetters,
                capital: text.first?.isUppercase == true)
            return Note(midi: 12 * (octave + 1) + pitchClass)
        } catch {
            // F#4 in German or D4 in solfège: the name may be English.
            if let note = try? Note(named: text, bareOctaves: usesMarks) { return note }
            throw error
        }
    }

    /// Whether octaves are written as marks.
    private var usesMarks: Bool { octaves == .helmholtz && language.usesLetters }

    /// The pitch class, 0 (C) to 11, of a name without an octave.
    package func pitchClass(named text: some StringProtocol) throws(NameError) -> Int {
        if language != .english, let (pitchClass, rest) = Self.longestName(in: text, language), rest.isEmpty {
            return wrapped(pitchClass)
        }
        return try Note.pitchClass(named: text)
    }

    private static let steps: [Language: [String]] = [
        .english: ["C", "D", "E", "F", "G", "A", "B"],
        .german: ["C", "D", "E", "F", "G", "A", "H"],
        .solfege: ["Do", "Re", "Mi", "Fa", "Sol", "La", "Si"],
        .japanese: ["ハ", "ニ", "ホ", "ヘ", "ト", "イ", "ロ"],
        .korean: ["다", "라", "마", "바", "사", "가", "나"],
    ]
    private static let sargam = ["S", "r", "R", "g", "G", "m", "M", "P", "d", "D", "n", "N"]

    private static func name(
        of pitchClass: Int, _ language: Language, _ accidentals: Accidentals, symbols: Bool
    ) -> String {
        guard let steps = steps[language] else { return sargam[pitchClass] }
        let (step, alteration) = Note.spelling(ofPitchClass: pitchClass, accidentals)
        let name = steps[step]
        switch (language, alteration) {
        case (_, 0): return name
        case (.japanese, 1): return "嬰" + name
        case (.japanese, _): return "変" + name
        case (.korean, 1): return "올림" + name
        case (.korean, _): return "내림" + name
        case (.german, 1): return name + "is"
        case (.german, _): return name == "H" ? "B" : name == "E" || name == "A" ? name + "s" : name + "es"
        case (_, 1): return name + (symbols ? "♯" : "#")
        default: return name + (symbols ? "♭" : "b")
        }
    }

    /// The longest name of this language at the start of the text, and the rest of the text.
    private static func longestName(
        in text: some StringProtocol, _ language: Language
    ) -> (pitchClass: Int, rest: String)? {
        for (length, names) in namesByLength[language] ?? [] {
            let start = text.prefix(length)
            guard start.count == length else { continue }
            // In sargam the case is the accidental.
            guard let pitchClass = names[language == .sargam ? String(start) : start.lowercased()] else { continue }
            return (pitchClass, String(text[start.endIndex...]))
        }
        return nil
    }

    /// The names of each language with their pitch classes by their lengths, the longest first; in lower case except for sargam.
    private static let namesByLength: [Language: [(length: Int, names: [String: Int])]] = {
        var all: [Language: [(length: Int, names: [String: Int])]] = [:]
        for language in Language.allCases {
            var byLength: [Int: [String: Int]] = [:]
            for pitchClass in 0..<12 {
                for accidentals in Accidentals.allCases {
                    for symbols in [false, true] {
                        let name = name(of: pitchClass, language, accidentals, symbols: symbols)
                        let key = language == .sargam ? name : name.lowercased()
                        // The first of two that a name may mean.
                        if byLength[name.count]?[key] == nil { byLength[name.count, default: [:]][key] = pitchClass }
                    }
                }
            }
            all[language] = byLength.sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
        }
        return all
    }()
}

/// `index` modulo 12, never negative.
func wrapped(_ index: Int) -> Int { divided(index, by: 12).remainder }
