public import Timebase

/// A plan as it is said on a command line: one kind of bar, and what happens to it.
public struct PlanOptions: Sendable, Hashable {
    /// The tempo.
    public var tempo: TempoNotation
    /// The meter; `nil` lets the accents decide.
    public var meter: Meter?
    /// The accents; `nil`: those of the meter.
    public var accents: AccentPattern?
    /// The parts of a beat.
    public var subdivision = Subdivision.whole
    /// How uneven pairs of parts are.
    public var swing = Swing.straight
    /// Further voices.
    public var cross: CrossRhythm?
    /// A speed trainer.
    public var steps: TempoSteps?
    /// Whether a ramp or a speed trainer comes back by the way it went.
    public var bounces = false
    /// A factor on all tempi.
    public var speed = Ratio(1)
    /// Bars or beats before bar 1.
    public var countIn: CountIn?
    /// Muted bars.
    public var gap: GapPlan?
    /// Muted beats.
    public var mutes: RandomMute?
    /// Where it ends.
    public var end: PlanEnd?

    /// A plan at this tempo with nothing else said.
    public init(tempo: TempoNotation) { self.tempo = tempo }

    /// The plan that these options make.
    public func plan() throws(PlanError) -> PracticePlan {
        var section = try PlanSection(
            tempo: TempoCourse(pieces: []), accents: accents, meter: meter, subdivision: subdivision, swing: swing,
            cross: cross)
        section.tempo = try course(bars: section.levels)
        if meter == nil {
            // The beat is whatever note the tempo counts, and a bar of such beats is laid out as one of quarters.
            let levels = try subdivision.levels(in: beat, isSwung: swing != .straight)
            section.subdivision = Subdivision(parts: .count(levels.count), levels: levels)
            section.tempo.noteValue = .quarter
        }
        var plan = PracticePlan(sections: [section])
        (plan.countIn, plan.gap, plan.mutes, plan.end) = (countIn, gap, mutes, end)
        return plan
    }

    /// The note value of a beat: that of the meter, or without one the note that the tempo counts.
    private var beat: NoteValue { meter?.beat ?? tempo.noteValue ?? .quarter }

    private func course(bars: [[AccentLevel]]) throws(PlanError) -> TempoCourse {
        var course: TempoCourse
        if let steps {
            guard tempo.points.count == 1 else { throw .rampAndSteps }
            var tempi = try steps.tempi(from: tempo.points[0])
            if bounces { tempi += tempi.dropLast().reversed() }
            course = TempoCourse(counting: tempo.noteValue ?? beat, pieces: [])
            var bar = 0
            for (index, tempo) in tempi.enumerated() {
                var beats: Int64 = 0
                for _ in 0..<steps.bars {
                    beats += Int64(bars[bar % bars.count].count)
                    bar += 1
                }
                let isLast = index == tempi.count - 1
                course.pieces.append(
                    TempoCourse.Piece(law: .steady(tempo.beatsPerMinute), beats: isLast ? nil : beats))
            }
        } else {
            let way = bounces && tempo.points.count > 1 ? tempo.bouncing() : tempo
            course = try way.course(bars: bars, beat: beat)
        }
        guard let scaled = course.scaled(by: speed) else { throw .tooFine }
        return scaled
    }
}
