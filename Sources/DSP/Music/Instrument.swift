/// A string instrument and its named tunings.
///
/// ```swift
/// let guitar = try Instrument(named: "guitar")
/// let strings = try guitar.tuning(named: "DADGAD").capo(2)
/// let nearest = strings.nearest(to: 82.hertz, in: try Tuning())
/// ```
public struct Instrument: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Its other names.
    public let aliases: [String]
    /// The usual tuning.
    public let standard: StringTuning
    /// Its other tunings.
    public let others: [StringTuning]

    /// A custom instrument.
    public init(name: String, aliases: [String] = [], standard: StringTuning, others: [StringTuning] = []) {
        (self.name, self.aliases, self.standard, self.others) = (name, aliases, standard, others)
    }

    /// The built-in instrument of this name. Case, spaces and hyphens are ignored.
    public init(named text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)
        let known = Self.all.first { isKey(key, of: $0.name) || $0.aliases.contains { isKey(key, of: $0) } }
        guard let known else { throw .unknown("instrument", text, among: Self.knownNames) }
        self = known
    }

    private static let knownNames = KnownNames(all.map(\.name))

    /// Its tunings, the usual one first.
    public var tunings: [StringTuning] { [standard] + others }

    /// The usual tuning with a capo on each of the frets that players put one on, named as `standard, capo 2`; none where they
    /// use no capo.
    public var capoTunings: [StringTuning] {
        guard (Self.guitars + Self.ukuleles + Self.banjos).contains(where: { $0.name == name }) else { return [] }
        return (1...Self.highestUsualCapo).map { fret in
            StringTuning(
                name: "\(standard.name), capo \(fret)", courses: standard.capo(fret).courses,
                countsFromFirst: standard.countsFromFirst)
        }
    }

    /// Beyond it hardly anybody puts one.
    private static let highestUsualCapo = 7

    /// The tuning of this name, or the one that the text spells out.
    ///
    /// A text spells out a tuning by notes with octaves (`D2 A2 D3 G3 A3 D4`); by a letter for each course, capitals or
    /// separated by blanks (`EADGBE`, `C#G#C#F#BbEb`, `e a d g b e`), each in the octave nearest to the usual tuning; or by
    /// the letter of the first course alone (`Eb`, `D standard`), to which the usual tuning moves as a whole.
    public func tuning(named text: some StringProtocol) throws(NameError) -> StringTuning {
        let key = lookupKey(text)
        if let known = tunings.first(where: { isKey(key, of: $0.name) }) { return known }
        if text.contains(where: \.isNumber), let own = try? StringTuning(name: String(text), strings: text) {
            return own
        }
        if let own = standard.lettered(String(text)) ?? standard.moved(toFirst: String(text)) { return own }
        throw .unknown("tuning of the \(name)", text, among: KnownNames(tunings.map(\.name)))
    }

    /// Every built-in instrument, by family.
    public static let all: [Instrument] =
        guitars + basses + ukuleles + banjos + mandolins + bowedStrings + earlyStrings + steelGuitars + zithers
        + latinAmericanStrings + iberianStrings + easternMediterraneanStrings + eastEuropeanStrings + eastAsianStrings
        + southAsianStrings + africanInstruments + keyboards

    /// A row of the built-in tables, the usual tuning first. A mistake in a table is a programming error, which the first
    /// test that reads the tables finds.
    init(
        _ name: String, also aliases: [String] = [], countsFromFirst: Bool = false,
        _ tunings: KeyValuePairs<String, String>
    ) {
        let read = tunings.map { row in
            do throws(NameError) {
                return try StringTuning(name: row.key, strings: row.value, countsFromFirst: countsFromFirst)
            } catch {
                preconditionFailure("\(name), \(row.key): \(error.message)")
            }
        }
        self.init(name: name, aliases: aliases, standard: read[0], others: Array(read.dropFirst()))
    }
}
