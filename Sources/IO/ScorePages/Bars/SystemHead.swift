/// What stands at the beginning of each system before the first note: clef, key, meter, and perhaps a repeat sign, whose strokes
/// end no bar.
struct SystemHead {
    /// Seven sharps, a clef and a meter have that width, in staff spaces.
    private static let widest = 14.0
    private let ink: InkImage
    private let systems: [[Staff]]

    init(_ ink: InkImage, systems: [[Staff]]) { (self.ink, self.systems) = (ink, systems) }

    /// Whether the first bar line of a system stands before its first note.
    ///
    /// It is thick, as only a repeat sign is in the middle of a line, and what precedes it stands before the notes of another
    /// system too: the same clef and key.
    func holds(_ line: SystemBars.Line, of index: Int) -> Bool {
        guard let staff = systems[index].first else { return false }
        let distance = line.left - Double(staff.left)
        guard Double(line.thickest) > 0.35 * staff.space, distance < Self.widest * staff.space else { return false }
        let others = systems.indices.filter { $0 != index }.compactMap { systems[$0].first }
        // Less than a clef and two notes: there is no room for a bar.
        guard !others.isEmpty else { return distance < 6 * staff.space }
        return others.contains { isLike(staff, $0, until: Int(distance - 0.4 * staff.space)) }
    }

    /// Whether the beginnings of two staves hold the same.
    private func isLike(_ staff: Staff, _ other: Staff, until width: Int) -> Bool {
        guard abs(staff.space - other.space) < 0.1 * staff.space, width > 0 else { return false }
        let above = Int(staff.space)
        let (row, otherRow) = (Int(staff.top.rounded()), Int(other.top.rounded()))
        let lines = staff.rows.map { Int($0.rounded()) - row }
        let heights = (-above...Int(staff.bottom - staff.top) + above).filter { height in
            !lines.contains { abs($0 - height) <= 1 }
        }
        // Half a space of each other: the columns of a clef can begin a little later, after a brace.
        let best = (-2...2).map { shift -> Double in
            var (both, all) = (0, 0)
            for y in heights {
                for x in Int(0.5 * staff.space)..<max(Int(0.5 * staff.space), width) {
                    let (mine, yours) = (
                        ink.isInk(staff.left + x, row + y), ink.isInk(other.left + x + shift, otherRow + y)
                    )
                    if mine || yours { all += 1 }
                    if mine && yours { both += 1 }
                }
            }
            return all == 0 ? 1 : Double(both) / Double(all)
        }
        return (best.max() ?? 0) > 0.7
    }
}
