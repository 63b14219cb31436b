/// An exact fraction in lowest terms, the number type of musical time.
///
/// The denominator is positive. Arithmetic returns `nil` instead of rounding a result that exceeds 64 bits.
@frozen
public struct Ratio: Sendable, Hashable, Comparable, BitwiseCopyable {
    /// The numerator, with the sign.
    public let numerator: Int64
    /// The denominator, at least 1.
    public let denominator: Int64

    /// The fraction `numerator / denominator`, reduced. `nil` if the denominator is zero or the result needs 65 bits.
    public init?(_ numerator: Int64, _ denominator: Int64) {
        self.init(wide: Int128(numerator), over: Int128(denominator))
    }

    /// A whole number.
    public init(_ whole: Int64) { (numerator, denominator) = (whole, 1) }

    /// A fraction in lowest terms.
    @_noLocks internal init(reduced numerator: Int64, over denominator: Int64) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// The fraction of two wide integers, reduced. `nil` if the denominator is zero or the result does not fit.
    public init?(wide numerator: Int128, over denominator: Int128) {
        guard denominator != 0 else { return nil }
        let divisor = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        let sign: Int128 = denominator < 0 ? -1 : 1
        guard let above = Int64(exactly: sign * numerator / divisor),
            let below = Int64(exactly: sign * denominator / divisor)
        else { return nil }
        (self.numerator, self.denominator) = (above, below)
    }

    /// The positive fraction of two wide integers if numerator and denominator are below `limit`, otherwise a fraction near
    /// it for which they are, with a relative error below `2 / limit`. `nil` if there is none.
    ///
    /// It uses the continued fraction, with its last step shortened to fit.
    package init?(nearestTo above: Int128, over below: Int128, limit: Int64) {
        guard above > 0, below > 0, above / below < limit else { return nil }
        if let exact = Ratio(wide: above, over: below), exact.numerator < limit, exact.denominator < limit {
            self = exact
            return
        }
        var (rest, divisor) = (above, below)
        var (last, here): ((Int128, Int128), (Int128, Int128)) = ((0, 1), (1, 0))
        while divisor != 0 {
            let step = rest / divisor
            let most = Int128(limit) - 1
            var fitting = step
            if here.0 > 0 { fitting = min(fitting, (most - last.0) / here.0) }
            if here.1 > 0 { fitting = min(fitting, (most - last.1) / here.1) }
            // A shortened step is nearer than none if it exceeds half of the whole step.
            if fitting < step && 2 * fitting <= step { break }
            (last, here) = (here, (fitting * here.0 + last.0, fitting * here.1 + last.1))
            if fitting < step { break }
            (rest, divisor) = (divisor, rest % divisor)
        }
        guard here.0 > 0, let nearest = Ratio(wide: here.0, over: here.1) else { return nil }
        self = nearest
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
        Ratio(wide: Int128(numerator) * Int128(other.numerator), over: Int128(denominator) * Int128(other.denominator))
    }

    /// The exact quotient, or `nil` if it does not fit or `other` is zero.
    public func divided(by other: Ratio) -> Ratio? {
        Ratio(wide: Int128(numerator) * Int128(other.denominator), over: Int128(denominator) * Int128(other.numerator))
    }
}

extension Ratio: CustomStringConvertible {
    /// `3`, or `100/3`.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// Euclid's algorithm, at most 185 steps; 1 if both are zero, so that it is a valid divisor.
@_noLocks
package func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    var (a, b) = (a, b)
    while b != 0 { (a, b) = (b, a % b) }
    return a == 0 ? 1 : a
}
