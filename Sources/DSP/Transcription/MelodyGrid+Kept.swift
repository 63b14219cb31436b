internal import CRealtime

extension MelodyGrid {
    /// Whether the notes keep to their places, more than chance has it.
    ///
    /// - Parameter choices: of how many grids this is the best.
    func isKept(by starts: [Double], choices: Int = 1) -> Bool {
        let evidence = parts.evidence(of: starts.map(position))
        let total = Self.leastTotal + rt_log(Double(choices))
        return evidence >= Self.leastEvidence && Double(starts.count) * evidence >= total
    }

    /// Nepers of likelihood beside notes anywhere: of each note, twice as much as the places that are likeliest take from
    /// notes at random; and of all notes, odds of e¹².
    static let leastEvidence = 0.6, leastTotal = 12.0

    /// The first stretch in which notes do not keep to the beats although most of the others do: another tempo, or none. Seconds,
    /// from its first note to its last; `nil` without one.
    package func stray(_ starts: [Double]) -> ClosedRange<Double>? {
        if let doubts { return doubts.stray }
        guard !isGiven, starts.count >= 2 * Self.stretch else { return nil }
        let positions = starts.map(position)
        func strays(_ first: Int) -> Bool { parts.evidence(of: Array(positions[first..<(first + Self.stretch)])) < 0 }
        guard let first = (0...(starts.count - Self.stretch)).first(where: strays) else { return nil }
        var last = first
        while last < starts.count - Self.stretch, strays(last + 1) { last += 1 }
        return starts[first]...starts[last + Self.stretch - 1]
    }

    /// The parts that may as well be in another tempo, in seconds.
    package var ambiguous: [ClosedRange<Double>] { doubts?.ambiguous ?? [] }

    /// So many notes one after the other tell whether they keep to the beats. Notes on them have 0.6 nepers each or more; notes
    /// anywhere fall below 0 with the narrow places of music that is played evenly.
    private static let stretch = 12
}
