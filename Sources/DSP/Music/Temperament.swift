private import CRealtime

/// A temperament of the twelve keys of the octave.
///
/// ```swift
/// let temperament = try Temperament(named: "Neidhardt 1724 Dorf")
/// let offsets = temperament.offsets(key: 0)  // cents from equal temperament, C to B
/// ```
///
/// Each is defined as tuners set it, never by rounded cents: most around the circle of fifths, each fifth narrower (or wider)
/// than the pure 3:2 by a share of a comma, the others by ratios or by lengths of a string. The commas are exact ratios: the
/// Pythagorean comma, 3^12 : 2^19 (23.460 cents), is the difference between twelve pure fifths and seven octaves, and the
/// syntonic comma, 81 : 80 (21.506 cents), the difference between four pure fifths and a pure third. Offsets are therefore
/// accurate to the last bits of a `Double`.
///
/// For scales of other sizes or periods, see `Scale`.
public struct Temperament: Sendable, Hashable {
    /// Its name, as in `Werckmeister III`.
    public let name: String
    /// When it was described, as in `1691` or `about 1600`; empty if it has no date.
    public let date: String
    /// Who described it, and where; empty for a custom temperament.
    public let source: String
    /// Its other names.
    let aliases: [String]
    /// Cents of the twelve pitch classes above the tonic, if the tonic is C.
    private let steps: [Double]

    /// A custom temperament.
    ///
    /// - Parameter steps: the twelve pitch classes C to B, finite; the first need not be 0, and they need not be rising.
    public init(name: String, steps: InlineArray<12, Cents>) {
        self.init(name, degrees: (0..<12).map { (steps[$0] - steps[0]).value }, source: "")
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

    // MARK: The temperaments

    /// Every built-in temperament: equal, just and the regular ones, then the others by date.
    public static let all: [Temperament] = regular + historical + modern

    /// Twelve equal semitones: every fifth narrow by 1/12 of the Pythagorean comma.
    public static let equal = builtIn("equal")
    /// Five-limit just intonation on the tonic.
    public static let just = builtIn("just")
    /// Eleven pure fifths from E♭ to G♯; the wolf fifth G♯–E♭ is narrow by a comma.
    public static let pythagorean = builtIn("Pythagorean")
    /// Eleven fifths narrow by 1/3 of the syntonic comma, so that minor thirds are pure.
    public static let thirdCommaMeantone = builtIn("third-comma meantone")
    /// Eleven fifths narrow by 1/4 of the syntonic comma, so that major thirds are pure.
    public static let quarterCommaMeantone = builtIn("quarter-comma meantone")
    /// Eleven fifths narrow by 1/5 of the syntonic comma.
    public static let fifthCommaMeantone = builtIn("fifth-comma meantone")
    /// Eleven fifths narrow by 1/6 of the syntonic comma. (Silbermann's uses 1/6 of the Pythagorean comma.)
    public static let sixthCommaMeantone = builtIn("sixth-comma meantone")
    /// C–G, G–D, D–A and B–F♯ narrow by 1/4 of the Pythagorean comma, the other fifths pure.
    public static let werckmeisterIII = builtIn("Werckmeister III")
    /// C–G–D–A–E narrow by 1/4 of the syntonic comma, so that C–E is pure; F♯–C♯ narrow by the schisma that remains.
    public static let kirnbergerIII = builtIn("Kirnberger III")
    /// F–C–G–D–A–E–B narrow by 1/6 of the Pythagorean comma, the other fifths pure.
    public static let vallotti = builtIn("Vallotti")
    /// C–G–D–A–E–B–F♯ narrow by 1/6 of the Pythagorean comma: Vallotti's pattern moved by a fifth.
    public static let youngII = builtIn("Young II")
    /// C–G–D–A–E and B–F♯ narrow by 1/5 of the Pythagorean comma, the other fifths pure.
    public static let kellner = builtIn("Kellner")

    private static func builtIn(_ name: String) -> Temperament {
        guard let known = all.first(where: { $0.name == name }) else { preconditionFailure("no temperament \(name)") }
        return known
    }

    // MARK: Construction

    /// 3^12 : 2^19, in cents.
    static let pythagoreanComma = 1_200 * (12 * rt_log2(3) - 19)
    /// 81 : 80, in cents.
    static let syntonicComma = 1_200 * rt_log2(81.0 / 80)

    /// A temperament by the cents of its degrees, from 0.
    init(_ name: String, _ date: String = "", also aliases: [String] = [], degrees: [Double], source: String) {
        (self.name, self.date, self.aliases, self.source, self.steps) = (name, date, aliases, source, degrees)
    }

    /// A temperament by the ratios of its degrees, from 1.
    init(_ name: String, _ date: String = "", also aliases: [String] = [], ratios: [(Double, Double)], source: String) {
        let degrees = ratios.map { 1_200 * rt_log2($0.0 / $0.1) }
        self.init(name, date, also: aliases, degrees: degrees, source: source)
    }

    /// A temperament by the lengths of a monochord's string, C to B.
    init(_ name: String, _ date: String, also aliases: [String] = [], lengths: [Double], source: String) {
        self.init(name, date, also: aliases, ratios: lengths.map { (lengths[0], $0) }, source: source)
    }

    /// A temperament by its fifths. A circle that does not close is a programming error, which the first test that reads the
    /// tables finds.
    ///
    /// - Parameters:
    ///   - shares: how many times `comma` each fifth is narrower than 3:2, around the circle C–G, G–D, D–A, A–E, E–B, B–F♯,
    ///     F♯–C♯, C♯–G♯, G♯–E♭, E♭–B♭, B♭–F, F–C. The fifths that are `nil` take equal parts of what the others leave of the
    ///     Pythagorean comma.
    ///   - comma: the unit of the shares, in cents.
    ///   - others: shares of a second comma on top, with their unit.
    init(
        _ name: String, _ date: String = "", also aliases: [String] = [], narrowing shares: [Int?], by comma: Double,
        and others: (shares: [Int], comma: Double)? = nil, source: String
    ) {
        let set = shares.indices.map { fifth in
            shares[fifth].map { Double($0) * comma + (others.map { Double($0.shares[fifth]) * $0.comma } ?? 0) }
        }
        let left = Self.pythagoreanComma - set.reduce(0) { $0 + ($1 ?? 0) }
        let open = set.count { $0 == nil }
        // Twelve sums of numbers below 32 are exact to 1e-13; a share that is wrong by 1/48 of a comma is off by 0.4.
        precondition(set.count == 12 && (open > 0 || abs(left) < 1e-9), "the circle of \(name) does not close")
        var steps = [Double](repeating: 0, count: 12)
        var cents = 0.0
        var pitchClass = 0
        for narrowing in set.prefix(11) {
            cents += 1_200 * rt_log2(1.5) - (narrowing ?? left / Double(open))
            // Back into the octave above the tonic.
            if cents >= 1_200 { cents -= 1_200 }
            pitchClass = (pitchClass + 7) % 12
            steps[pitchClass] = cents
        }
        self.init(name, date, also: aliases, degrees: steps, source: source)
    }
}
