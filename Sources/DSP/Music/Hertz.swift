/// A frequency or a rate in hertz: cycles, samples or frames per second.
@frozen
public struct Hertz: Sendable, Hashable, Comparable {
    /// The number of hertz.
    public var value: Double

    /// A frequency of `value` hertz.
    @inlinable @_noLocks public init(_ value: Double) { self.value = value }

    /// Whether `lhs` is the lower frequency.
    @inlinable @_noLocks public static func < (lhs: Hertz, rhs: Hertz) -> Bool { lhs.value < rhs.value }

    /// The ratio of two frequencies, which has no unit.
    @inlinable @_noLocks public static func / (lhs: Hertz, rhs: Hertz) -> Double { lhs.value / rhs.value }

    /// A frequency multiplied by a ratio.
    @inlinable @_noLocks public static func * (lhs: Hertz, rhs: Double) -> Hertz { Hertz(lhs.value * rhs) }

    /// A frequency divided by a ratio.
    @inlinable @_noLocks public static func / (lhs: Hertz, rhs: Double) -> Hertz { Hertz(lhs.value / rhs) }
}

extension Double {
    /// This many hertz: `440.0.hertz`.
    @inlinable public var hertz: Hertz { @_noLocks get { Hertz(self) } }

    /// This many kilohertz: `48.0.kilohertz`.
    @inlinable public var kilohertz: Hertz { @_noLocks get { Hertz(self * 1_000) } }
}

extension Int {
    /// This many hertz: `440.hertz`.
    @inlinable public var hertz: Hertz { @_noLocks get { Double(self).hertz } }

    /// This many kilohertz: `48.kilohertz`.
    @inlinable public var kilohertz: Hertz { @_noLocks get { Double(self).kilohertz } }
}
