/// A tempo that stands in a score.
package struct TempoMark: Sendable, Equatable {
    /// Quarters from the first beat.
    package let quarter: Double
    /// Quarters per minute.
    package let perMinute: Double

    /// The same mark where quarters are counted from the one at a position.
    package func counted(from position: Double) -> TempoMark {
        TempoMark(quarter: quarter - position, perMinute: perMinute)
    }

    package init(quarter: Double = 0, perMinute: Double) { (self.quarter, self.perMinute) = (quarter, perMinute) }
}
