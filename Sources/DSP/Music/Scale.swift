/// A scale: pitches above a first note, repeating at a period that need not be an octave.
///
/// The first note, 1/1, is implied; the last pitch is the period. This is the content of a Scala `.scl` file:
/// `init(parsing:)` reads one. A scale has no place on the keyboard and no frequency; a `Tuning` adds both.
///
/// ```swift
/// let scale = Scale.equal(19)
/// let bohlenPierce = Scale.equal(13, of: .ratio(3, 1))
/// ```
package struct Scale: Sendable, Hashable {
    package let description: String
    /// The pitches above the first note, in the order of the file, which need not be rising. The last is the period.
    package let pitches: [ScalePitch]
    /// The names of the degrees from 0, one for each pitch; or empty.
    package let names: [String]

    private let steps: [Double]

    /// A scale of these pitches; `names` are dropped unless there is one for each pitch.
    package init(description: String, pitches: [ScalePitch], names: [String] = []) {
        (self.description, self.pitches) = (description, pitches)
        self.names = names.count == pitches.count ? names : []
        steps = [0] + pitches.map(\.cents.value)
    }

    package var count: Int { pitches.count }

    /// The interval after which the scale repeats; 0 for a scale of the single note 1/1.
    package var period: Cents { Cents(steps[steps.count - 1]) }

    /// The interval from degree 0 to a degree, any number of periods up or down.
    package func cents(ofDegree degree: Int) -> Cents {
        guard count > 0 else { return Cents(0) }
        let (octave, step) = divided(degree, by: count)
        return Cents(Double(octave) * period.value + steps[step])
    }

    /// An equal division of a period.
    ///
    /// - Parameters:
    ///   - divisions: at least 1.
    ///   - period: the interval to divide; an octave by default.
    package static func equal(_ divisions: Int, of period: ScalePitch = .ratio(2, 1)) -> Scale {
        precondition(divisions >= 1, "a period has at least one step")
        let step = period.cents.value / Double(divisions)
        let pitches = (1..<divisions).map { ScalePitch.cents(step * Double($0)) } + [period]
        var name = "\(period.cents.value) cents"
        if case .ratio(let numerator, let denominator) = period { name = "\(numerator)/\(denominator)" }
        return Scale(description: "\(divisions) equal divisions of \(name)", pitches: pitches)
    }

    /// Reads the name of an equal division: `19edo`, `24-TET` and `31 equal` divide the octave, `13ed3` and `9ed3/2` any
    /// ratio.
    ///
    /// The number of divisions is from 1 to 3,000, the most that a `Tuning` can hold.
    package init(equalDivision text: some StringProtocol) throws(NameError) {
        let key = lookupKey(text)[...]
        let digits = leadingDigits(key)
        let unit = key[digits.endIndex...]
        let unknown = NameError.unknown(
            kind: "equal division", name: String(text), known: ["19edo", "24tet", "31 equal", "13ed3", "9ed3/2"])
        // A hyphen may join the words (24-TET), but a number may not be negative.
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
}

/// Quotient and remainder, with a remainder that is never negative.
func divided(_ number: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
