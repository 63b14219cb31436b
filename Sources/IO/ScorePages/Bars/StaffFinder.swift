/// Finds the staves of an upright page: five lines at equal distances.
struct StaffFinder {
    private let ink: InkImage
    /// The expected distance between two lines, in pixels.
    private let space: Int
    /// Only what is long and level: staff lines, and little else.
    private let lines: InkImage
    /// How much of `lines` each row holds.
    private let profile: [Double]

    init(_ ink: InkImage, space: Int) {
        (self.ink, self.space) = (ink, space)
        // Three spaces: longer than beams of two notes and ledger lines are wide; a speck of dust does not end a line.
        lines = ink.horizontalRuns(atLeast: max(12, 3 * space), gap: 1 + space / 8)
        profile = lines.rowProfile(columns: 0..<ink.width).map(Double.init)
    }

    /// From the top of the page.
    var staves: [Staff] {
        let combs = self.combs
        guard let greatest = combs.map(\.score).max() else { return [] }
        // A staff of a fifth of the page's width is the shortest that counts; a comb on the edge of one scores half of it.
        let limit = max(0.15 * Double(ink.width), 0.3 * greatest)
        var isTaken = [Bool](repeating: false, count: ink.height)
        var staves: [Staff] = []
        for comb in combs.sorted(by: { $0.score > $1.score }) where comb.score >= limit {
            let reach = Int(1.5 * comb.space)
            let rows = max(0, comb.top - reach)...min(ink.height - 1, comb.top + Int(4 * comb.space) + reach)
            guard !isTaken[rows].contains(true) else { continue }
            for y in comb.top...min(ink.height - 1, comb.top + Int(4 * comb.space)) { isTaken[y] = true }
            if let staff = staff(at: comb) { staves.append(staff) }
        }
        return staves.sorted { $0.top < $1.top }
    }

    /// Five rows at one distance, the first of them `top`.
    private struct Comb {
        let top: Int
        let space: Double
        /// The ink in the weakest of the rows, less most of what lies between the rows.
        let score: Double
    }

    /// The best comb that begins in each row, where there is one.
    private var combs: [Comb] {
        let count = profile.count
        guard count > 5 * space else { return [] }
        // A line is up to three rows thick, and lies between two of them.
        let smooth = (0..<count).map { y in
            profile[y] + (y > 0 ? profile[y - 1] : 0) + (y + 1 < count ? profile[y + 1] : 0)
        }
        let spaces = stride(from: Double(space) - 1, through: Double(space) + 1, by: 0.25)
        return (0..<count).compactMap { top in
            guard smooth[top] > 0 else { return nil }
            var best: Comb?
            for space in spaces {
                func row(_ line: Double) -> Double? {
                    let y = Int((Double(top) + line * space).rounded())
                    return smooth.indices.contains(y) ? smooth[y] : nil
                }
                guard let last = row(4) else { continue }
                let weakest = (1...3).reduce(min(smooth[top], last)) { min($0, row(Double($1)) ?? 0) }
                guard weakest > 0 else { continue }
                let between = (-1...4).reduce(0) { $0 + (row(Double($1) + 0.5) ?? 0) } / 6
                let score = weakest - 0.7 * between
                if score > best?.score ?? 0 { best = Comb(top: top, space: space, score: score) }
            }
            return best
        }
    }

    /// The staff of a comb: its rows to a fraction of a pixel, and how far its lines reach.
    private func staff(at comb: Comb) -> Staff? {
        let reach = max(2, Int(0.25 * comb.space))
        let rows = (0..<5).map { line -> Double in
            let middle = Int((Double(comb.top) + Double(line) * comb.space).rounded())
            let window = max(0, middle - reach)...min(profile.count - 1, middle + reach)
            let weight = window.reduce(0) { $0 + profile[$1] }
            return weight > 0 ? window.reduce(0) { $0 + Double($1) * profile[$1] } / weight : Double(middle)
        }
        guard let stretch = longestStretch(rows, space: comb.space) else { return nil }
        return Staff(rows: rows, left: stretch.lowerBound, right: stretch.upperBound)
    }

    /// The columns in which three of the five lines go on, without a gap of more than six spaces.
    private func longestStretch(_ rows: [Double], space: Double) -> ClosedRange<Int>? {
        var (longest, current): (ClosedRange<Int>?, ClosedRange<Int>?) = (nil, nil)
        let lineRows = rows.map { Int($0.rounded()) }
        for x in 0..<ink.width {
            let count = lineRows.count { row in (-2...2).contains { lines.isInk(x, row + $0) } }
            guard count >= 3 else { continue }
            if let run = current, Double(x - run.upperBound) <= 6 * space {
                current = run.lowerBound...x
            } else {
                current = x...x
            }
            if (current?.count ?? 0) > (longest?.count ?? 0) { longest = current }
        }
        guard let longest, Double(longest.count) > 4 * space else { return nil }
        return longest
    }
}
