/// The deviation of a rate from its nominal value, in millionths. Positive is fast.
///
/// 100 ppm is 0.17 cent, or a third of a second an hour.
package struct PartsPerMillion: BitwiseCopyable, Sendable, Hashable, Comparable, Codable {
    package var value: Double

    /// What a sound card can be off. Crystals are within 100 ppm; 2 % is a device without one.
    package static let clockErrors = -20_000.0...20_000.0

    package init(_ value: Double) { self.value = value }

    /// The deviation that a ratio of rates means: 1.0001 is 100 ppm.
    package init(ratio: Double) { value = (ratio - 1) * 1e6 }

    /// The true rate divided by the nominal one.
    package var ratio: Double { 1 + value * 1e-6 }

    package static func < (lhs: PartsPerMillion, rhs: PartsPerMillion) -> Bool { lhs.value < rhs.value }
}

extension Double {
    package var ppm: PartsPerMillion { PartsPerMillion(self) }
}

extension Int {
    package var ppm: PartsPerMillion { Double(self).ppm }
}
