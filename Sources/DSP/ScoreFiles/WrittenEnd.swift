/// Where a note ends as it is written, in grid steps: a player lets go of a note before the next one, which is no rest.
struct WrittenEnd {
    let stepsPerQuarter: Int, stepsPerBeat: Int
    /// Whether the meter's beat has three parts.
    let isCompound: Bool
    /// The quarters of triplets, which have no half.
    let triplets: Set<Int>

    /// A gap of that part of the time from note to note or more is a rest, whatever its length; one of an eighth or more already of
    /// the smaller part, which a held note is not shortened by: scores say nine tenths, and players keep more of long notes; and a
    /// gap of a quarter is always one.
    private static let articulation = 0.3, held = 0.18
    /// Before a rest, a note was meant to last up to so many times as long as it sounds: four fifths sound of a note that is let go.
    private static let longest = 1.25

    /// - Parameters:
    ///   - start: where the note begins.
    ///   - sounding: where it ends, on the grid, and how many steps it sounds.
    ///   - next: where the next note begins; `nil` for the last one.
    func step(from start: Int, sounding: (end: Int, length: Double), next: Int?) -> Int {
        if let next {
            guard sounding.end < next, isRest(next - sounding.end, of: next - start) else { return next }
        }
        // The end of a beat, or of a half or a third of one.
        for unit in [stepsPerBeat, stepsPerBeat / (isCompound ? 3 : 2)] where unit > 0 {
            let end = (sounding.end + unit - 1) / unit * unit
            let isInTriplet = end % stepsPerQuarter > 0 && triplets.contains(end / stepsPerQuarter)
            if end <= next ?? end, !isInTriplet, Double(end - start) <= Self.longest * sounding.length { return end }
        }
        return sounding.end
    }

    private func isRest(_ gap: Int, of steps: Int) -> Bool {
        let share = Double(gap) / Double(steps)
        return share >= Self.articulation || gap >= stepsPerQuarter
            || (2 * gap >= stepsPerQuarter && share >= Self.held)
    }
}
