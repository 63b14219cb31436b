package import Timebase

/// A speed trainer: the tempo changes by a step every few bars up to a goal.
package struct TempoSteps: Sendable, Hashable {
    /// The change per step in beats per minute; negative to slow down.
    package var step: Ratio
    package var bars: Int64
    package var goal: Tempo

    /// Reads `+5/4b..160`: five beats per minute faster every four bars up to 160; `-5/4b..60` slows down.
    package init(parsing text: String) throws(NotationError) {
        var scanner = NotationScanner(text)
        let isDown = scanner.skip("-")
        if !isDown, !scanner.skip("+") { throw scanner.unreadable("+ or -, as in +5/4b..160") }
        let start = scanner.column
        let size = try scanner.decimal("beats per minute to add, as in +5/4b..160")
        guard size > Ratio(0), let step = Ratio(isDown ? -size.numerator : size.numerator, size.denominator) else {
            throw scanner.outOfRange("use a step of more than 0 beats per minute", at: start)
        }
        guard scanner.skip("/") else { throw scanner.unreadable("/ and the bars of each step, as in +5/4b..160") }
        bars = Int64(try scanner.integer("the bars of each step", in: 1...1_000_000))
        if !scanner.skip(word: "bars") && !scanner.skip(word: "bar") && !scanner.skip("b") {
            throw scanner.unreadable("b or bars")
        }
        guard scanner.skip(word: "..") else {
            throw scanner.unreadable(".. and the tempo to arrive at, as in +5/4b..160")
        }
        goal = try scanner.tempo()
        try scanner.expectEnd(after: "steps")
        self.step = step
    }

    /// The tempi from `start` to the goal, inclusive.
    ///
    /// - Throws: `PlanError.stepsLeadAway` if the steps do not approach the goal.
    package func tempi(from start: Tempo) throws(PlanError) -> [Tempo] {
        let isDown = step < Ratio(0)
        guard isDown ? goal <= start : goal >= start else { throw .stepsLeadAway }
        var tempi = [start]
        // From 1 to 1,000 in steps of 1/50: 130 MB there and back.
        while let last = tempi.last, last != goal {
            guard tempi.count <= 50_000, let sum = last.beatsPerMinute.adding(step) else { throw .tooLong }
            let isPast = isDown ? sum <= goal.beatsPerMinute : sum >= goal.beatsPerMinute
            guard !isPast, let next = try? Tempo(sum) else {
                tempi.append(goal)
                break
            }
            tempi.append(next)
        }
        return tempi
    }
}
