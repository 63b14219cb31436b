/// The deviation of a rate from its nominal value, in millionths. Positive is fast.
///
/// 100 ppm is 0.17 cent, or a third of a second an hour.
@frozen
public struct PartsPerMillion: BitwiseCopyable, Sendable, Hashable, Comparable, Codable {
    /// The number of millionths.
    public var value: Double

    /// A deviation of `value` millionths.
    @inlinable public init(_ value: Double) { self.value = value }

    /// The deviation that a ratio of rates means: 1.0001 is 100 ppm.
    @inlinable public init(ratio: Double) { value = (ratio - 1) * 1e6 }

    /// The true rate divided by the nominal one.
    @inlinable public var ratio: Double { 1 + value * 1e-6 }

    /// Whether `lhs` is the slower one.
    @inlinable public static func < (lhs: PartsPerMillion, rhs: PartsPerMillion) -> Bool { lhs.value < rhs.value }
}

extension Double {
    /// This many millionths: `20.0.ppm`.
    @inlinable public var ppm: PartsPerMillion { PartsPerMillion(self) }
}

extension Int {
    /// This many millionths: `20.ppm`.
    @inlinable public var ppm: PartsPerMillion { Double(self).ppm }
}
