internal import CRealtime

/// The steps of a grid that a score is written on: parts of quarters, thirds of those that are played as triplets.
package struct MelodySteps: Sendable {
    /// Steps of a quarter, by which lengths are counted.
    package let perQuarter: Int
    /// The quarters that have three parts.
    package let triplets: Set<Int>
    /// The parts of the others.
    private let parts: Int

    /// - Parameters:
    ///   - shortest: the shortest value as a share of a whole, 4 or more: 16 for a sixteenth.
    ///   - triplets: the quarters that are played in three parts, counted from the first beat.
    package init(shortest: Int, triplets: Set<Int> = []) {
        // Three eighths in a quarter take eighths for their halves, so that a triplet's values can be written.
        let finest = triplets.isEmpty ? shortest : max(8, shortest)
        (self.triplets, parts) = (triplets, shortest / 4)
        perQuarter = finest / 4 * (triplets.isEmpty ? 1 : 3)
    }

    /// The step nearest to a position in quarters.
    package func step(at position: Double) -> Int {
        let quarter = Int(rt_floor(position))
        let parts = triplets.contains(quarter) ? 3 : parts
        return quarter * perQuarter + Int(rt_round((position - Double(quarter)) * Double(parts))) * (perQuarter / parts)
    }

    /// The next step of the quarter that a step is in.
    package func step(after step: Int) -> Int {
        let quarter = Int(rt_floor(Double(step) / Double(perQuarter)))
        return step + perQuarter / (triplets.contains(quarter) ? 3 : parts)
    }

    /// The position of a step in quarters.
    package func position(of step: Int) -> Double { Double(step) / Double(perQuarter) }
}
