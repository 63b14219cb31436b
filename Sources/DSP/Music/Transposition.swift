/// How a transposing instrument sounds against what its player reads.
///
/// **The sign.** `sounds` is the interval from the *written* note *up to the sounding* one: negative for an instrument that
/// sounds lower than it reads. A B♭ clarinet reads C and sounds B♭, so `sounds` is -2 semitones. A tuner goes the other way:
/// it hears the concert pitch and shows the written one, two semitones *higher*. To keep the two apart there is no bare
/// "transpose" here: say `concert(written:)` or `written(concert:)`.
///
///     let clarinet = try Transposition(named: "Bb clarinet")
///     clarinet.concert(written: try Note(named: "C5"))   // B♭4
///     clarinet.written(concert: try Note(named: "A4"))   // B4
public struct Transposition: Sendable, Hashable {
    /// Whose transposition it is, as in `B♭ clarinet`.
    public let name: String
    /// From the written note to the sounding one; negative sounds lower than written.
    public let sounds: Interval

    /// A transposition of one's own.
    ///
    /// - Parameters:
    ///   - name: what to call it.
    ///   - sounds: from the written note to the sounding one; negative sounds lower than written.
    public init(name: String, sounds: Interval) { (self.name, self.sounds) = (name, sounds) }

    /// What is read is what sounds: piano, flute, violin.
    public static var concert: Transposition { Transposition(name: "concert", sounds: Interval(semitones: 0)) }

    /// The note that sounds when this one is read.
    public func concert(written: Note) -> Note { written + sounds }

    /// The note to write when this one sounds.
    public func written(concert: Note) -> Note { concert - sounds }

    /// The transposition of a named instrument, of a key, or by an interval.
    ///
    /// - Parameter text: an instrument (`Bb clarinet`, `F horn`, `piccolo`, `guitar`: case, spaces and ♭/b do not matter); or
    ///   a key, the note that sounds when the player reads C, within the octave *below* (`Bb` is -2, `F` -7, `Eb` -9; an
    ///   instrument that sounds upward must be named); or the interval from written to sounding, with its sign
    ///   (`-M2`, `+m3`, `down P5`, `up octave`).
    public init(named text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)
        if let known = Self.all.first(where: { lookupKey($0.name) == key }) {
            self = known
        } else if let pitchClass = try? Note.pitchClass(named: text) {
            self.init(name: String(text), sounds: Interval(semitones: pitchClass == 0 ? 0 : pitchClass - 12))
        } else if let first = text.first, "+-−".contains(first) || text.hasPrefix("up ") || text.hasPrefix("down ") {
            self.init(name: String(text), sounds: try Interval(named: text))
        } else {
            throw .unknown(
                kind: "transposition", name: String(text),
                known: likelyNames(for: String(text), among: Self.all.map(\.name)))
        }
    }

    /// Every named transposition. After Adler, "The Study of Orchestration", and Del Mar, "Anatomy of the Orchestra".
    public static let all: [Transposition] =
        [concert]
        + table.flatMap { row in
            row.names.map { Transposition(name: $0, sounds: Interval(semitones: row.semitones)) }
        }

    /// Semitones from written to sounding, and who reads so.
    private static let table: [(semitones: Int, names: [String])] = [
        (+24, ["glockenspiel", "crotales", "garklein recorder"]),
        (
            +12,
            [
                "piccolo", "celesta", "xylophone", "soprano recorder", "sopranino recorder", "bass recorder",
                "tin whistle",
            ]
        ),
        (+10, ["Bb piccolo trumpet"]),
        (+9, ["A piccolo trumpet"]),
        (+8, ["Ab piccolo clarinet"]),
        (+5, ["F trumpet"]),
        (+3, ["Eb clarinet", "Eb trumpet", "Eb cornet", "sopranino saxophone"]),
        (+2, ["D clarinet", "D trumpet"]),
        (0, ["flute", "oboe", "bassoon", "C trumpet", "trombone", "tuba", "piano", "violin", "alto recorder"]),
        (
            -2,
            [
                "Bb clarinet", "clarinet", "Bb trumpet", "trumpet", "Bb cornet", "cornet", "flugelhorn",
                "soprano saxophone", "Bb soprano saxophone",
            ]
        ),
        (-3, ["A clarinet", "oboe d'amore", "A cornet"]),
        (-5, ["alto flute", "G alto flute"]),
        (-7, ["F horn", "horn", "French horn", "English horn", "cor anglais", "basset horn", "F mellophone"]),
        (
            -9,
            [
                "alto saxophone", "Eb alto saxophone", "Eb alto sax", "alto sax", "alto clarinet", "tenor horn",
                "Eb horn",
            ]
        ),
        (
            -12,
            [
                "guitar", "bass guitar", "bass", "double bass", "contrabassoon", "bass flute", "tenor voice", "banjo",
                "heckelphone",
            ]
        ),
        (
            -14,
            [
                "tenor saxophone", "Bb tenor saxophone", "Bb tenor sax", "tenor sax", "bass clarinet",
                "baritone treble clef", "euphonium treble clef",
            ]
        ),
        (
            -21,
            ["baritone saxophone", "Eb baritone saxophone", "Eb baritone sax", "baritone sax", "contra-alto clarinet"]
        ),
        (-26, ["bass saxophone", "contrabass clarinet"]),
    ]
}
