/// An exact fraction in lowest terms: the number type of musical time, where a third of a beat is a third.
///
/// The denominator is positive. Arithmetic that would leave 64 bits returns `nil` instead of a rounded result.
@frozen
public struct Ratio: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// Above the line; carries the sign.
    public let numerator: Int64
    /// Below the line; at least 1.
    public let denominator: Int64

    /// The fraction `numerator / denominator`, reduced. `nil` if the denominator is zero or the result needs 65 bits.
    public init?(_ numerator: Int64, _ denominator: Int64) {
        self.init(wide: Int128(numerator), over: Int128(denominator))
    }

    /// Reads a factor such as `0.8`, `4/5` or `1.25`; more than 0 and at most 1,000.
    public init(parsingFactor text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        var value = try scanner.decimal("a factor, such as 0.8 or 4/5")
        if scanner.skip("/") { value = value.divided(by: try scanner.decimal("a number below the line")) ?? Ratio(0) }
        try scanner.expectEnd(after: "factor")
        guard value > Ratio(0), value <= Ratio(1_000) else {
            throw .outOfRange(text: text, column: 1, allowed: "a factor is more than 0 and at most 1000")
        }
        self = value
    }

    /// A whole number.
    public init(_ whole: Int64) {
        self.numerator = whole
        self.denominator = 1
    }

    /// The fraction of two wide integers, reduced. `nil` if the denominator is zero or the result does not fit.
    public init?(wide numerator: Int128, over denominator: Int128) {
        guard denominator != 0 else { return nil }
        let divisor = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        let sign: Int128 = denominator < 0 ? -1 : 1
        guard let above = Int64(exactly: sign * numerator / divisor),
            let below = Int64(exactly: sign * denominator / divisor)
        else { return nil }
        self.numerator = above
        self.denominator = below
    }

    /// The nearest floating-point number.
    public var value: Double { Double(numerator) / Double(denominator) }

    /// Whether `lhs` is the smaller, exactly.
    public static func < (lhs: Ratio, rhs: Ratio) -> Bool {
        Int128(lhs.numerator) * Int128(rhs.denominator) < Int128(rhs.numerator) * Int128(lhs.denominator)
    }

    /// The exact sum, or `nil` if it does not fit.
    public func adding(_ other: Ratio) -> Ratio? {
        Ratio(
            wide: Int128(numerator) * Int128(other.denominator) + Int128(other.numerator) * Int128(denominator),
            over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact difference, or `nil` if it does not fit.
    public func subtracting(_ other: Ratio) -> Ratio? {
        Ratio(
            wide: Int128(numerator) * Int128(other.denominator) - Int128(other.numerator) * Int128(denominator),
            over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact product, or `nil` if it does not fit.
    public func multiplied(by other: Ratio) -> Ratio? {
        Ratio(
            wide: Int128(numerator) * Int128(other.numerator), over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact quotient, or `nil` if it does not fit or `other` is zero.
    public func divided(by other: Ratio) -> Ratio? {
        Ratio(
            wide: Int128(numerator) * Int128(other.denominator), over: Int128(denominator) * Int128(other.numerator))
    }
}

extension Ratio: CustomStringConvertible {
    /// `3`, or `100/3`.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Euclid's algorithm; 1 when both are zero, so that it can always be divided by. At most 185 steps.
@_noLocks
internal func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a == 0 ? 1 : a
}
