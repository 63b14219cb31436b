internal import Music

extension ClickTiming {
    /// Clicks that were due at the times of a plan, which begins somewhere in the recording.
    ///
    /// Which click is the first of the plan is not known: each of the first of either may be missing or be another sound, and
    /// the beginning that explains the most clicks is taken. From there on, the plan follows the clicks, so that a slow drift
    /// does not lose count.
    ///
    /// - Parameters:
    ///   - heard: the times of the clicks, ascending, from any origin.
    ///   - due: when they were due, ascending, from another one.
    ///   - kinds: the sound of each click, as for a steady interval.
    ///   - isWhole: whether all of the plan was recorded: then clicks before the first that was heard and after the last are
    ///     lost too.
    ///   - tolerance: how far from its place a click may be and still count, as a fraction of the time to its nearest neighbour.
    ///
    /// `nil` when fewer than three clicks fit.
    package init?(
        heard: [Duration], course due: [Duration], kinds: [Int?], isWhole: Bool, tolerance: Double = 0.25
    ) {
        precondition(kinds.count == heard.count, "each click has a kind or none")
        let (heard, due) = (heard.map(\.inSeconds), due.map(\.inSeconds))
        guard heard.count >= 3, due.count >= 3 else { return nil }
        let course = Course(due: due, tolerance: tolerance)
        var best: [Course.Match] = []
        for click in heard.indices.prefix(Self.beginnings) {
            for place in due.indices.prefix(Self.beginnings) {
                let matches = course.matches(of: heard, shift: heard[click] - due[place])
                if matches.count > best.count { best = matches }
            }
        }
        guard let first = best.first, let last = best.last else { return nil }
        self.init(
            pairs: best.map { (due[$0.place], heard[$0.click], kinds[$0.click]) },
            lost: (isWhole ? due.count : last.place - first.place + 1) - best.count, extra: heard.count - best.count)
    }

    /// How many of the first clicks may be missing, or be other sounds.
    private static var beginnings: Int { 4 }
}

/// The times of a plan, and how far from each a click may be.
private struct Course {
    typealias Match = (place: Int, click: Int)

    let due: [Double], limits: [Double]

    init(due: [Double], tolerance: Double) {
        self.due = due
        limits = due.indices.map { place in
            let before = place > 0 ? due[place] - due[place - 1] : .infinity
            let after = place + 1 < due.count ? due[place + 1] - due[place] : .infinity
            return tolerance * min(before, after)
        }
    }

    /// Which click is at which place, where the clicks begin later by `shift` than the plan does.
    func matches(of heard: [Double], shift: Double) -> [Match] {
        var (matches, shift, next) = ([Match](), shift, 0)
        for (click, time) in heard.enumerated() {
            func distance(_ place: Int) -> Double { abs(time - shift - due[place]) }
            while next + 1 < due.count, distance(next + 1) < distance(next) { next += 1 }
            guard distance(next) <= limits[next], matches.last?.place != next else { continue }
            matches.append((next, click))
            // Half of the way: one click may be off, or have another sound with another onset.
            shift += (time - shift - due[next]) / 2
        }
        return matches
    }
}
