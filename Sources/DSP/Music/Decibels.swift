private import CRealtime

/// A level in decibels, relative to full scale by default. A sine of amplitude 1 has a power of -3.01 dB.
@frozen
public struct Decibels: Sendable, Hashable, Comparable {
    /// The number of decibels.
    public var value: Double

    /// A level of `value` decibels.
    @inlinable @_noLocks public init(_ value: Double) { self.value = value }

    /// The level of a mean square: 10 · log10(power). Zero power is minus infinity.
    @_noLocks public init(power: Double) { value = 10 * rt_log10(power) }

    /// The level of an amplitude: 20 · log10(|amplitude|). Zero is minus infinity.
    @_noLocks public init(amplitude: Double) { value = 20 * rt_log10(abs(amplitude)) }

    /// The factor on an amplitude: 10^(dB / 20).
    public var amplitude: Double { @_noLocks get { rt_pow(10, value / 20) } }

    /// The factor on a power: 10^(dB / 10).
    public var power: Double { @_noLocks get { rt_pow(10, value / 10) } }

    /// Whether `lhs` is the lower level.
    @inlinable @_noLocks public static func < (lhs: Decibels, rhs: Decibels) -> Bool { lhs.value < rhs.value }

    /// The sum of two gains.
    @inlinable @_noLocks public static func + (lhs: Decibels, rhs: Decibels) -> Decibels {
        Decibels(lhs.value + rhs.value)
    }

    /// The difference of two levels.
    @inlinable @_noLocks public static func - (lhs: Decibels, rhs: Decibels) -> Decibels {
        Decibels(lhs.value - rhs.value)
    }
}

extension Double {
    /// This many decibels: `(-6.0).decibels`.
    @inlinable public var decibels: Decibels { @_noLocks get { Decibels(self) } }
}

extension Int {
    /// This many decibels: `(-6).decibels`.
    @inlinable public var decibels: Decibels { @_noLocks get { Double(self).decibels } }
}
