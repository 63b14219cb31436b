/// The relation between the written and the sounding notes of a transposing instrument.
///
/// `sounds` is the interval from the *written* note to the *sounding* note. It is negative for an instrument that sounds
/// lower than written: a B♭ clarinet reads C and sounds B♭, so `sounds` is -2 semitones. A tuner needs the opposite: it hears
/// the concert pitch and shows the written note, two semitones *higher*. The two methods name the direction:
/// `concert(written:)` and `written(concert:)`.
///
/// ```swift
/// let clarinet = try Transposition(named: "Bb clarinet")
/// let sounding = clarinet.concert(written: try Note(named: "C5"))  // B♭4
/// let written = clarinet.written(concert: try Note(named: "A4"))  // B4
/// ```
package struct Transposition: Sendable, Hashable {
    package let name: String
    /// The interval from the written note to the sounding note; negative if it sounds lower than written.
    package let sounds: Interval

    package init(name: String, sounds: Interval) { (self.name, self.sounds) = (name, sounds) }

    /// No transposition: piano, flute, violin.
    package static var concert: Transposition { Transposition(name: "concert", sounds: Interval(semitones: 0)) }

    package func concert(written: Note) -> Note { written + sounds }

    package func written(concert: Note) -> Note { concert - sounds }

    /// Reads the transposition of an instrument, a key, or an interval.
    ///
    /// - Parameter text: an instrument (`Bb clarinet`, `F horn`, `piccolo`, `guitar`; case and spaces are ignored, ♭ is b);
    ///   or a key, which is the note that sounds when the player reads C, within the octave *below* (`Bb` is -2, `F` -7,
    ///   `Eb` -9; an instrument that sounds higher must be named); or the interval from written to sounding, with its sign
    ///   (`-M2`, `+m3`, `down P5`, `up octave`).
    package init(named text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)
        if let known = Self.all.first(where: { isKey(key, of: $0.name) }) {
            self = known
        } else if let pitchClass = try? Note.pitchClass(named: text) {
            self.init(name: String(text), sounds: Interval(semitones: pitchClass == 0 ? 0 : pitchClass - 12))
        } else if let first = text.first, "+-−".contains(first) || text.hasPrefix("up ") || text.hasPrefix("down ") {
            self.init(name: String(text), sounds: try Interval(named: text))
        } else {
            throw .unknown("transposition", text, among: Self.knownNames)
        }
    }

    private static let knownNames = KnownNames(all.map(\.name))

    /// Every named transposition. After Adler, "The Study of Orchestration", and Del Mar, "Anatomy of the Orchestra".
    package static let all: [Transposition] =
        [concert]
        + table.flatMap { semitones, names in
            names.map { Transposition(name: $0, sounds: Interval(semitones: semitones)) }
        }

    /// Semitones from written to sounding, and the instruments.
    private static let table: KeyValuePairs = [
        +24: ["glockenspiel", "crotales", "garklein recorder"],
        +12: [
            "piccolo", "celesta", "xylophone", "soprano recorder", "sopranino recorder", "bass recorder", "tin whistle",
        ],
        +10: ["Bb piccolo trumpet"],
        +9: ["A piccolo trumpet"],
        +8: ["Ab piccolo clarinet"],
        +5: ["F trumpet"],
        +3: ["Eb clarinet", "Eb trumpet", "Eb cornet", "sopranino saxophone"],
        +2: ["D clarinet", "D trumpet"],
        0: ["flute", "oboe", "bassoon", "C trumpet", "trombone", "tuba", "piano", "violin", "alto recorder"],
        -2: [
            "Bb clarinet", "clarinet", "Bb trumpet", "trumpet", "Bb cornet", "cornet", "flugelhorn",
            "soprano saxophone", "Bb soprano saxophone",
        ],
        -3: ["A clarinet", "oboe d'amore", "A cornet"],
        -5: ["alto flute", "G alto flute"],
        -7: ["F horn", "horn", "French horn", "English horn", "cor anglais", "basset horn", "F mellophone"],
        -9: [
            "alto saxophone", "Eb alto saxophone", "Eb alto sax", "alto sax", "alto clarinet", "tenor horn", "Eb horn",
        ],
        -12: [
            "guitar", "bass guitar", "bass", "double bass", "contrabassoon", "bass flute", "tenor voice", "banjo",
            "heckelphone",
        ],
        -14: [
            "tenor saxophone", "Bb tenor saxophone", "Bb tenor sax", "tenor sax", "bass clarinet",
            "baritone treble clef", "euphonium treble clef",
        ],
        -21: [
            "baritone saxophone", "Eb baritone saxophone", "Eb baritone sax", "baritone sax", "contra-alto clarinet",
        ],
        -26: ["bass saxophone", "contrabass clarinet"],
    ]
}
