package import Timebase

/// A plan as it is said on a command line: one kind of bar, and what happens to it.
package struct PlanOptions: Sendable, Hashable {
    /// The tempo.
    package var tempo: TempoNotation
    /// The meter; `nil` lets the accents decide.
    package var meter: Meter?
    /// The accents; `nil`: those of the meter, or every fourth beat.
    package var accents: AccentPattern?
    /// The parts of a beat.
    package var subdivision = Subdivision.whole
    /// How uneven pairs of parts are.
    package var swing = Swing.straight
    /// Further voices.
    package var cross: CrossRhythm?
    /// A speed trainer.
    package var steps: TempoSteps?
    /// Whether a ramp or a speed trainer comes back by the way it went.
    package var bounces = false
    /// A factor on all tempi.
    package var speed = Ratio(1)
    /// Bars or beats before bar 1.
    package var countIn: CountIn?
    /// Muted bars.
    package var gap: GapPlan?
    /// Muted beats.
    package var mutes: RandomMute?
    /// Where it ends.
    package var end: PlanEnd?

    /// A plan at this tempo with nothing else said.
    package init(tempo: TempoNotation) { self.tempo = tempo }

    /// The plan that these options make.
    package func plan() throws(PlanError) -> PracticePlan {
        var section = try PlanSection(
            tempo: .steady(tempo.points[0]), accents: accents ?? defaultAccents, meter: meter,
            subdivision: subdivision, swing: swing, cross: cross)
        section.tempo = try course(bars: section.levels)
        var plan = PracticePlan(sections: [section])
        (plan.countIn, plan.gap, plan.mutes, plan.end) = (countIn, gap, mutes, end)
        return plan
    }

    private var defaultAccents: AccentPattern {
        if let meter { return .groups(meter.groups) }
        // The first number of a cross rhythm is the bar.
        return .every(cross?.counts.first ?? 4)
    }

    private func course(bars: [[AccentLevel]]) throws(PlanError) -> TempoCourse {
        var course: TempoCourse
        if let steps {
            guard tempo.points.count == 1 else { throw .rampAndSteps }
            var tempi = try steps.tempi(from: tempo.points[0])
            if bounces { tempi += tempi.dropLast().reversed() }
            var pieces: [TempoCourse.Piece] = []
            var bar = 0
            for (index, tempo) in tempi.enumerated() {
                var one = self.tempo
                one.points = [tempo]
                let law = try one.course(bars: bars, denominator: meter?.denominator).pieces[0].law
                var beats: Int64 = 0
                for _ in 0..<steps.bars {
                    beats += Int64(bars[bar % bars.count].count)
                    bar += 1
                }
                pieces.append(TempoCourse.Piece(law: law, beats: index == tempi.count - 1 ? nil : beats))
            }
            course = TempoCourse(pieces: pieces)
        } else {
            let way = bounces && tempo.points.count > 1 ? tempo.bouncing() : tempo
            course = try way.course(bars: bars, denominator: meter?.denominator)
        }
        guard let scaled = course.scaled(by: speed) else { throw .tooFine }
        return scaled
    }
}
