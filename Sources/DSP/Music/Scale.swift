private import CRealtime

/// A scale: so many pitches above a first note, repeating at a period, which need not be an octave.
///
/// The first note, 1/1, is implied; the last pitch is the period. This is what a Scala `.scl` file holds; see
/// `init(parsing:)` for reading one and `text` for writing it. A scale has no place on the keyboard and no frequency: a
/// `Tuning` joins it to them.
///
///     let scale = Scale.equal(19)
///     let bohlenPierce = Scale.equal(13, of: .ratio(3, 1))
public struct Scale: Sendable, Hashable {
    /// What the scale is, in a line.
    public let description: String
    /// The pitches above the first note, in the order of the file, which need not rise; the last is the period.
    public let pitches: [ScalePitch]
    /// The names of the degrees from 0, as many as there are pitches; or none.
    public let names: [String]

    private let steps: [Double]

    /// A scale of these pitches.
    ///
    /// - Parameters:
    ///   - description: what it is, in a line.
    ///   - pitches: above the first note; the last is the period.
    ///   - names: of the degrees from 0; as many as there are pitches, or else they are dropped.
    public init(description: String, pitches: [ScalePitch], names: [String] = []) {
        self.description = description
        self.pitches = pitches
        self.names = names.count == pitches.count ? names : []
        self.steps = [0] + pitches.map(\.cents.value)
    }

    /// How many different notes there are in a period.
    public var count: Int { pitches.count }

    /// The interval after which the scale repeats; 0 for a scale of the single note 1/1.
    public var period: Cents { Cents(steps[steps.count - 1]) }

    /// How far a degree lies above degree 0, any number of periods up or down.
    public func cents(ofDegree degree: Int) -> Cents {
        guard count > 0 else { return Cents(0) }
        let (octave, step) = divided(degree, by: count)
        return Cents(Double(octave) * period.value + steps[step])
    }

    /// A period divided into equal steps.
    ///
    /// - Parameters:
    ///   - divisions: at least 1.
    ///   - period: the interval that is divided; an octave unless said otherwise.
    public static func equal(_ divisions: Int, of period: ScalePitch = .ratio(2, 1)) -> Scale {
        precondition(divisions >= 1, "a period has at least one step")
        let step = period.cents.value / Double(divisions)
        let pitches = (1..<divisions).map { ScalePitch.cents(step * Double($0)) } + [period]
        return Scale(description: "\(divisions) equal divisions of \(period.text)", pitches: pitches)
    }

    /// The equal division that a name means: `19edo`, `24-TET`, `31 equal` divide the octave; `13ed3`, `9ed3/2` any ratio.
    ///
    /// At least 1 division, at most 3,000, which a `Tuning` can still hold.
    public init(equalDivision text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)[...]
        let digits = leadingDigits(key)
        let unit = key[digits.endIndex...]
        let unknown = NameError.unknown(
            kind: "equal division", name: String(text), known: ["19edo", "24tet", "31 equal", "13ed3", "9ed3/2"])
        // A hyphen may join the words (24-TET) but not make a number negative.
        let signed = zip(text, text.dropFirst()).contains { $0 == "-" && $1.isNumber }
        guard !signed, let divisions = Int(digits), (1...3_000).contains(divisions) else { throw unknown }
        if ["edo", "tet", "et", "equal"].contains(unit) {
            self = .equal(divisions)
            return
        }
        let halves = unit.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false)
        let numbers = halves.compactMap { leadingDigits($0) == $0 ? UInt128($0) : nil }
        guard unit.hasPrefix("ed"), numbers.count == halves.count, numbers.count <= 2, let numerator = numbers.first,
            case let denominator = numbers.count == 2 ? numbers[1] : 1, denominator > 0, numerator > denominator
        else { throw unknown }
        self = .equal(divisions, of: .ratio(numerator, denominator))
    }

    /// A temperament as a scale of twelve notes from its tonic.
    public init(_ temperament: Temperament) {
        let pitches = temperament.degrees.dropFirst().map { ScalePitch.cents($0.value) }
        self.init(description: temperament.name, pitches: pitches + [.ratio(2, 1)])
    }
}

/// Quotient and remainder with the remainder never negative.
func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
