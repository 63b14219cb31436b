/// The deviation of a rate from its nominal value, in millionths. Positive is fast.
///
/// 100 ppm is 0.17 cent, or a third of a second an hour.
package struct PartsPerMillion: BitwiseCopyable, Sendable, Hashable, Comparable, Codable {
    /// The number of millionths.
    package var value: Double

    /// A deviation of `value` millionths.
    package init(_ value: Double) { self.value = value }

    /// The deviation that a ratio of rates means: 1.0001 is 100 ppm.
    package init(ratio: Double) { value = (ratio - 1) * 1e6 }

    /// The true rate divided by the nominal one.
    package var ratio: Double { 1 + value * 1e-6 }

    /// Whether `lhs` is the slower one.
    package static func < (lhs: PartsPerMillion, rhs: PartsPerMillion) -> Bool { lhs.value < rhs.value }
}

extension Double {
    /// This many millionths: `20.0.ppm`.
    package var ppm: PartsPerMillion { PartsPerMillion(self) }
}

extension Int {
    /// This many millionths: `20.ppm`.
    package var ppm: PartsPerMillion { Double(self).ppm }
}
