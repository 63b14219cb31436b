/// How notes are written: the language, sharps or flats, and how octaves are told apart.
///
///     NoteNaming(language: .german).name(of: Note(midi: 70))        // "Ais4"
///     NoteNaming(octaves: .helmholtz).name(of: Note(midi: 69))      // "a'"
///
/// What it writes it also reads (`note(named:)`). Names are strings, so nothing here is for the audio thread.
public struct NoteNaming: Sendable, Hashable {
    /// The words for the seven steps.
    public enum Language: String, Sendable, Hashable, CaseIterable {
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
    }

    /// Which of two names a black key gets.
    public enum Accidentals: String, Sendable, Hashable, CaseIterable {
        /// C♯, D♯, F♯, G♯, A♯.
        case sharps
        /// D♭, E♭, G♭, A♭, B♭.
        case flats
    }

    /// How the octave is written.
    public enum Octaves: String, Sendable, Hashable, CaseIterable {
        /// A number that changes at C: middle C is C4 (Young, JASA 11, 1939).
        case scientific
        /// Letters and marks: `C,` `C` `c` `c'` `c''`, with `c'` the middle C (Helmholtz 1863). Only for names that
        /// are single Latin letters or German; the others keep the number.
        case helmholtz
    }

    /// The words for the steps.
    public var language: Language
    /// Which of two names a black key gets.
    public var accidentals: Accidentals
    /// How the octave is written.
    public var octaves: Octaves
    /// Whether accidentals are `♯ ♭` rather than `# b`. Where a language has words for them, the words stay.
    public var symbols: Bool

    /// A way of naming. As it stands: English, sharps, scientific octaves, ASCII.
    public init(
        language: Language = .english, accidentals: Accidentals = .sharps, octaves: Octaves = .scientific,
        symbols: Bool = false
    ) {
        self.language = language
        self.accidentals = accidentals
        self.octaves = octaves
        self.symbols = symbols
    }

    /// The name without the octave: `F#`, `Fis`, `Fa#`, `嬰ヘ`, `올림바`, `M`.
    ///
    /// - Parameter pitchClass: 0 is C; counted round the clock, so any number has a name.
    public func name(ofPitchClass pitchClass: Int) -> String {
        Self.name(of: wrapped(pitchClass), language, accidentals, symbols: symbols)
    }

    /// Name and octave, as in `F#3`, `fis`, `올림바3`.
    public func name(of note: Note) -> String {
        let step = name(ofPitchClass: note.pitchClass)
        guard octaves == .helmholtz, language == .english || language == .german else {
            return step + String(note.octave)
        }
        // c' begins at octave 4: small letters from octave 3 up, capitals below.
        return note.octave >= 3
            ? step.lowercased() + String(repeating: "'", count: note.octave - 3)
            : step + String(repeating: ",", count: 2 - note.octave)
    }

    /// The note that a text names in this language, with its octave: the reverse of `name(of:)`.
    ///
    /// Sharps, flats, their symbols and both kinds of octave are understood whatever this naming itself writes; so are
    /// English names, except that in German `B` is B♭ and `H` is B. A letter with no octave at all (`c`, `C`) is a note
    /// only where this naming's octaves are Helmholtz's.
    public func note(named text: some StringProtocol) throws(NameError) -> Note {
        let bare = octaves == .helmholtz && (language == .english || language == .german)
        guard language != .english, let (pitchClass, rest) = Self.longestName(in: text, language) else {
            return try Note(named: text, bareOctaves: bare)
        }
        do {
            let octave = try NoteSpelling.octave(
                rest, of: text, bare: bare, helmholtz: language == .german,
                capital: text.first?.isUppercase == true)
            return Note(midi: 12 * (octave + 1) + pitchClass)
        } catch {
            // F#4 in German, D4 in solfège: what is no name of this language may be an English one.
            if let note = try? Note(named: text, bareOctaves: bare) { return note }
            throw error
        }
    }

    /// The pitch class, 0 (C) to 11, of a name without an octave.
    public func pitchClass(named text: some StringProtocol) throws(NameError) -> Int {
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

    /// The longest name of this language that the text begins with, and what follows it.
    private static func longestName(
        in text: some StringProtocol, _ language: Language
    ) -> (pitchClass: Int, rest: String)? {
        var best: (pitchClass: Int, length: Int)?
        for pitchClass in 0..<12 {
            for accidentals in Accidentals.allCases {
                for symbols in [false, true] {
                    let name = name(of: pitchClass, language, accidentals, symbols: symbols)
                    guard name.count > best?.length ?? 0, text.count >= name.count else { continue }
                    let start = String(text.prefix(name.count))
                    // In sargam the case is the accidental.
                    let same = language == .sargam ? start == name : start.lowercased() == name.lowercased()
                    if same { best = (pitchClass, name.count) }
                }
            }
        }
        guard let best else { return nil }
        return (best.pitchClass, String(text.dropFirst(best.length)))
    }
}

/// `index` counted round the twelve pitch classes.
func wrapped(_ index: Int) -> Int {
    let remainder = index % 12
    return remainder < 0 ? remainder + 12 : remainder
}
