/// Joins the staves that are played together: a line at their left, or bar lines, go from one to the next.
struct SystemFinder {
    private let ink: InkImage

    init(_ ink: InkImage) { self.ink = ink }

    /// Staves in groups, from the top.
    func systems(of staves: [Staff]) -> [[Staff]] {
        var systems: [[Staff]] = []
        for staff in staves {
            if let above = systems.last?.last, isJoined(above, staff) {
                systems[systems.count - 1].append(staff)
            } else {
                systems.append([staff])
            }
        }
        return systems
    }

    private func isJoined(_ upper: Staff, _ lower: Staff) -> Bool {
        let space = upper.space
        let (top, bottom) = (Int(upper.bottom) + 2, Int(lower.top) - 1)
        // Thirty spaces hold several verses between two staves. Systems further apart are not joined by anything.
        guard bottom > top, Double(bottom - top) < 30 * space else { return bottom <= top }
        let rows = bottom - top + 1
        // A stroke may lean by a column, and a speck of dust is no gap.
        func goesThrough(_ x: Int) -> Bool {
            Double(ink.inkRows(inColumn: x, from: top, through: bottom, reach: 1)) >= 0.96 * Double(rows)
        }
        let left = min(upper.left, lower.left), edge = Int(space)
        if (left - edge...max(upper.left, lower.left) + edge).contains(where: goesThrough) { return true }
        // Two bar lines or more.
        var (strokes, last) = (0, Int.min / 2)
        for x in max(upper.left, lower.left)...max(upper.left, lower.left, min(upper.right, lower.right))
        where goesThrough(x) {
            if Double(x - last) > space { strokes += 1 }
            last = x
        }
        return strokes >= 2
    }
}
