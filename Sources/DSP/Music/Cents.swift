private import CRealtime

/// An interval in cents: hundredths of an equal-tempered semitone, 1,200 to the octave. Positive is sharp.
@frozen
public struct Cents: Sendable, Hashable, Comparable {
    /// The number of cents.
    public var value: Double

    /// An interval of `value` cents.
    @inlinable @_noLocks public init(_ value: Double) { self.value = value }

    /// The interval from `reference` up to `frequency`: 1200 · log2(frequency / reference).
    ///
    /// Both must be positive; otherwise the result is infinite or not a number.
    /// - SeeAlso: Ellis, appendix to Helmholtz, "On the Sensations of Tone", 1885.
    @_noLocks public init(from reference: Hertz, to frequency: Hertz) {
        value = 1_200 * rt_log2(frequency.value / reference.value)
    }

    /// The ratio of frequencies of this interval: 2^(cents / 1200).
    public var ratio: Double { @_noLocks get { rt_exp2(value / 1_200) } }

    /// Whether `lhs` is the lower interval; negative intervals go down.
    @inlinable @_noLocks public static func < (lhs: Cents, rhs: Cents) -> Bool { lhs.value < rhs.value }

    /// The sum of two intervals.
    @inlinable @_noLocks public static func + (lhs: Cents, rhs: Cents) -> Cents { Cents(lhs.value + rhs.value) }

    /// The difference of two intervals.
    @inlinable @_noLocks public static func - (lhs: Cents, rhs: Cents) -> Cents { Cents(lhs.value - rhs.value) }

    /// The same interval in the opposite direction.
    @inlinable @_noLocks public static prefix func - (cents: Cents) -> Cents { Cents(-cents.value) }
}

extension Cents {
    /// The cents in a relative difference of one, where differences are small: 1,200 / ln 2.
    package static var perNeper: Double { @_noLocks get { 1_731.234 } }
}

extension Double {
    /// This many cents: `(-3.5).cents`.
    @inlinable public var cents: Cents { @_noLocks get { Cents(self) } }
}

extension Int {
    /// This many cents: `50.cents`.
    @inlinable public var cents: Cents { @_noLocks get { Double(self).cents } }
}

extension Hertz {
    /// The frequency `interval` above (or, when negative, below) this one.
    @_noLocks public func raised(by interval: Cents) -> Hertz { Hertz(value * interval.ratio) }
}
