package import Timebase

/// The choices that make a plan with one kind of bar.
package struct PlanOptions: Sendable, Hashable {
    package var tempo: TempoNotation
    /// The meter; `nil`: the accents determine the bar.
    package var meter: Meter?
    /// The accents; `nil`: those of the meter.
    package var accents: AccentPattern?
    package var subdivision = Subdivision.whole
    package var swing = Swing.straight
    package var cross: CrossRhythm?
    package var steps: TempoSteps?
    /// Whether a ramp or a speed trainer returns to its start.
    package var bounces = false
    package var speed = Ratio(1)
    package var countIn: CountIn?
    package var gap: GapPlan?
    package var mutes: RandomMute?
    package var end: PlanEnd?

    package init(tempo: TempoNotation) { self.tempo = tempo }

    package func plan() throws(PlanError) -> PracticePlan {
        let levels = try AccentPattern.levels(accents, meter: meter, cross: cross)
        var section = PlanSection(tempo: try course(bars: levels), levels: levels, meter: meter)
        (section.subdivision, section.swing, section.cross) = (subdivision, swing, cross)
        var plan = PracticePlan(sections: [section])
        (plan.countIn, plan.gap, plan.mutes, plan.end) = (countIn, gap, mutes, end)
        return plan
    }

    private var countedNote: NoteValue { tempo.noteValue ?? .counted(in: meter) }

    private func course(bars: [[AccentLevel]]) throws(PlanError) -> TempoCourse {
        var course: TempoCourse
        if let steps {
            guard tempo.points.count == 1 else { throw .rampAndSteps }
            var tempi = try steps.tempi(from: tempo.points[0])
            if bounces { tempi += tempi.dropLast().reversed() }
            course = TempoCourse(counting: countedNote, pieces: [])
            // Whole rounds of the pattern at once: a step may have a million bars.
            let (rounds, rest) = steps.bars.quotientAndRemainder(dividingBy: Int64(bars.count))
            let inRounds = rounds * bars.reduce(0) { $0 + Int64($1.count) }
            var bar = 0
            for (index, tempo) in tempi.enumerated() {
                var beats = inRounds
                for _ in 0..<rest {
                    beats += Int64(bars[bar % bars.count].count)
                    bar += 1
                }
                let isLast = index == tempi.count - 1
                course.pieces.append(TempoCourse.Piece(law: .steady(tempo.beatsPerMinute), beats: isLast ? nil : beats))
            }
        } else {
            let way = bounces && tempo.points.count > 1 ? tempo.bouncing() : tempo
            course = try way.course(of: countedNote, bars: bars, beat: meter?.beat ?? countedNote)
        }
        guard let scaled = course.scaled(by: speed) else { throw .tooFine }
        return scaled
    }
}
