/// A frequency in cycles per second.
@frozen
public struct Hertz: Sendable, Hashable, Comparable {
    /// The number of cycles per second.
    public var value: Double

    /// A frequency of `value` cycles per second.
    @inlinable @_noLocks public init(_ value: Double) { self.value = value }

    /// Whether `lhs` is the lower of the two.
    @inlinable @_noLocks public static func < (lhs: Hertz, rhs: Hertz) -> Bool { lhs.value < rhs.value }

    /// A ratio of two frequencies has no unit.
    @inlinable @_noLocks public static func / (lhs: Hertz, rhs: Hertz) -> Double { lhs.value / rhs.value }

    /// A frequency scaled by a bare ratio.
    @inlinable @_noLocks public static func * (lhs: Hertz, rhs: Double) -> Hertz { Hertz(lhs.value * rhs) }

    /// A frequency divided by a bare ratio.
    @inlinable @_noLocks public static func / (lhs: Hertz, rhs: Double) -> Hertz { Hertz(lhs.value / rhs) }
}

extension Double {
    /// This many cycles per second: `440.0.hertz`.
    @inlinable public var hertz: Hertz { @_noLocks get { Hertz(self) } }

    /// This many thousand cycles per second: `48.0.kilohertz`.
    @inlinable public var kilohertz: Hertz { @_noLocks get { Hertz(self * 1_000) } }
}

extension Int {
    /// This many cycles per second: `440.hertz`.
    @inlinable public var hertz: Hertz { @_noLocks get { Double(self).hertz } }

    /// This many thousand cycles per second: `48.kilohertz`.
    @inlinable public var kilohertz: Hertz { @_noLocks get { Double(self).kilohertz } }
}
