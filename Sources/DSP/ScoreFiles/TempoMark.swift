/// A tempo that stands in a score.
package struct TempoMark: Sendable, Equatable {
    /// Quarters from the first beat.
    package let quarter: Double
    /// Quarters per minute.
    package let perMinute: Double

    package init(quarter: Double = 0, perMinute: Double) { (self.quarter, self.perMinute) = (quarter, perMinute) }
}
