private import CRealtime

/// A temperament of the twelve keys of the octave.
///
/// Most are defined as tuners set them: around the circle of fifths, each fifth narrower (or wider) than the pure 3:2 by a
/// share of a comma. The commas are exact ratios: the Pythagorean comma, 3^12 : 2^19 (23.460 cents), is the difference
/// between twelve pure fifths and seven octaves, and the syntonic comma, 81 : 80 (21.506 cents), the difference between four
/// pure fifths and a pure third. Offsets are therefore accurate to the last bits of a `Double`.
///
/// For scales of other sizes or periods, see `Scale`.
public struct Temperament: Sendable, Hashable {
    /// Its name, as in `Werckmeister III`.
    public let name: String
    /// Cents of the twelve pitch classes above the tonic, if the tonic is C.
    private let steps: [Double]

    /// A custom temperament.
    ///
    /// - Parameter steps: the twelve pitch classes C to B, finite; the first need not be 0, and they need not be rising.
    public init(name: String, steps: InlineArray<12, Cents>) {
        self.name = name
        self.steps = (0..<12).map { (steps[$0] - steps[0]).value }
    }

    /// The offsets of the twelve pitch classes, C to B, from equal temperament, with A at the reference.
    ///
    /// - Parameter key: the pitch class that the temperament is built on, 0 for C. A keeps its pitch in every key.
    /// - Returns: twelve offsets in cents; the tenth, A, is 0.
    public func offsets(key: Int = 0) -> [Cents] {
        let turned = (0..<12).map { pitchClass in
            let degree = wrapped(pitchClass - wrapped(key))
            return steps[degree] - 100 * Double(degree)
        }
        return turned.map { Cents($0 - turned[9]) }
    }

    /// The twelve degrees above the tonic, in cents, from 0.
    public var degrees: [Cents] { steps.map { Cents($0) } }

    /// The temperament of this name; case, spaces and hyphens are ignored. Short names: `meantone` is quarter-comma,
    /// `werckmeister` is III, `kirnberger` is III, `young` is 1799 no. 2.
    public init(named text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)
        let short = [
            "meantone": "quarter-comma meantone", "werckmeister": "Werckmeister III", "kirnberger": "Kirnberger III",
            "werckmeister3": "Werckmeister III", "kirnberger3": "Kirnberger III", "young": "Young II",
            "young2": "Young II", "bach": "Kellner", "12edo": "equal", "12tet": "equal", "et": "equal",
            "14comma": "quarter-comma meantone", "1/4comma": "quarter-comma meantone",
        ]
        let name = lookupKey(short[key] ?? String(text))
        guard let known = Self.all.first(where: { lookupKey($0.name) == name }) else {
            throw .unknown("temperament", text, among: Self.all.map(\.name))
        }
        self = known
    }

    /// Every built-in temperament, equal first.
    public static let all: [Temperament] = [
        equal, just, pythagorean, thirdCommaMeantone, quarterCommaMeantone, fifthCommaMeantone, sixthCommaMeantone,
        werckmeisterIII, kirnbergerIII, vallotti, youngII, kellner,
    ]

    // MARK: The temperaments

    /// Twelve equal semitones: every fifth narrow by 1/12 of the Pythagorean comma.
    public static let equal = Temperament(name: "equal", degrees: (0..<12).map { 100 * Double($0) })

    /// Five-limit just intonation: the ratios 1, 16/15, 9/8, 6/5, 5/4, 4/3, 45/32, 3/2, 8/5, 5/3, 9/5, 15/8 on the tonic.
    /// - SeeAlso: Ellis, appendix XX to Helmholtz, "On the Sensations of Tone", 1885 (Duodene of C).
    public static let just = Temperament(name: "just", degrees: justRatios.map { 1_200 * rt_log2($0.0 / $0.1) })
    private static let justRatios: [(Double, Double)] = [
        (1, 1), (16, 15), (9, 8), (6, 5), (5, 4), (4, 3), (45, 32), (3, 2), (8, 5), (5, 3), (9, 5), (15, 8),
    ]

    /// Eleven pure fifths from E♭ to G♯; the wolf fifth G♯–E♭ is narrow by a comma.
    public static let pythagorean = meantone("Pythagorean", narrowing: 0)

    /// Eleven fifths narrow by 1/3 of the syntonic comma, so that minor thirds are pure (Salinas, "De musica", 1577).
    public static let thirdCommaMeantone = meantone("third-comma meantone", narrowing: 1.0 / 3)

    /// Eleven fifths narrow by 1/4 of the syntonic comma, so that major thirds are pure (Aron, "Thoscanello", 1523).
    public static let quarterCommaMeantone = meantone("quarter-comma meantone", narrowing: 1.0 / 4)

    /// Eleven fifths narrow by 1/5 of the syntonic comma (Verheijen, about 1600).
    public static let fifthCommaMeantone = meantone("fifth-comma meantone", narrowing: 1.0 / 5)

    /// Eleven fifths narrow by 1/6 of the syntonic comma. (Silbermann's uses 1/6 of the Pythagorean comma.)
    public static let sixthCommaMeantone = meantone("sixth-comma meantone", narrowing: 1.0 / 6)

    /// C–G, G–D, D–A and B–F♯ narrow by 1/4 of the Pythagorean comma, the other fifths pure.
    /// - SeeAlso: Werckmeister, "Musicalische Temperatur", 1691 (the "correct temperament no. 1").
    public static let werckmeisterIII = Temperament(
        name: "Werckmeister III", narrowing: [1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0], by: pythagoreanComma / 4)

    /// C–G, G–D, D–A and A–E narrow by 1/4 of the syntonic comma, so that C–E is pure; F♯–C♯ narrow by the schisma that remains.
    /// - SeeAlso: Kirnberger's letter to Forkel, about 1779, in Allgemeine musikalische Zeitung, 1871.
    public static let kirnbergerIII = Temperament(
        name: "Kirnberger III", narrowing: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], by: syntonicComma / 4, rest: 6)

    /// The six fifths F–C–G–D–A–E–B narrow by 1/6 of the Pythagorean comma, the others pure.
    /// - SeeAlso: Vallotti, "Della scienza teorica e pratica della moderna musica", 1779.
    public static let vallotti = Temperament(
        name: "Vallotti", narrowing: [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1], by: pythagoreanComma / 6)

    /// Thomas Young's second temperament of 1799: C–G–D–A–E–B–F♯ narrow by 1/6 of the Pythagorean comma, which is Vallotti's
    /// moved by a fifth. (His first, in the same paper, divides the comma unevenly.)
    /// - SeeAlso: Young, "Outlines of Experiments and Inquiries respecting Sound and Light" (9 July 1799), Phil. Trans.
    ///   90, 1800; Jorgensen, "Tuning", 1991, pages 251 to 265.
    public static let youngII = Temperament(
        name: "Young II", narrowing: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], by: pythagoreanComma / 6)

    /// C–G, G–D, D–A, A–E and B–F♯ narrow by 1/5 of the Pythagorean comma, the others pure.
    /// - SeeAlso: Kellner, "Wie stimme ich selbst mein Cembalo?", 1976; Acustica 52, 1982.
    public static let kellner = Temperament(
        name: "Kellner", narrowing: [1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0], by: pythagoreanComma / 5)

    // MARK: Construction

    /// 3^12 : 2^19, in cents.
    static let pythagoreanComma = 1_200 * (12 * rt_log2(3) - 19)
    /// 81 : 80, in cents.
    static let syntonicComma = 1_200 * rt_log2(81.0 / 80)

    private init(name: String, degrees: [Double]) { (self.name, self.steps) = (name, degrees) }

    /// - Parameters:
    ///   - shares: how many times `comma` each fifth is narrower than 3:2, around the circle C–G, G–D, D–A, A–E, E–B, B–F♯,
    ///     F♯–C♯, C♯–G♯, G♯–E♭, E♭–B♭, B♭–F, F–C.
    ///   - comma: in cents.
    ///   - rest: the fifth that closes the circle, whatever its share; F–C if the shares close it already.
    private init(name: String, narrowing shares: [Double], by comma: Double, rest: Int = 11) {
        let others = shares.enumerated().reduce(0) { $1.offset == rest ? $0 : $0 + $1.element * comma }
        var steps = [Double](repeating: 0, count: 12)
        var cents = 0.0
        var pitchClass = 0
        for (fifth, share) in shares.enumerated().prefix(11) {
            cents += 1_200 * rt_log2(1.5) - (fifth == rest ? Self.pythagoreanComma - others : share * comma)
            // Back into the octave above the tonic.
            if cents >= 1_200 { cents -= 1_200 }
            pitchClass = (pitchClass + 7) % 12
            steps[pitchClass] = cents
        }
        self.init(name: name, degrees: steps)
    }

    /// Eleven fifths from E♭ up to G♯, each narrow by a share of the syntonic comma; the wolf fifth G♯–E♭ closes the circle.
    private static func meantone(_ name: String, narrowing share: Double) -> Temperament {
        Temperament(name: name, narrowing: [Double](repeating: share, count: 12), by: syntonicComma, rest: 8)
    }
}
