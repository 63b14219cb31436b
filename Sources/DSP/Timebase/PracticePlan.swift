/// What is to be practised: sections of bars, a count-in, gaps, and where it ends.
public struct PracticePlan: Sendable, Hashable {
    /// The sections in the order they are played; only the last may be without end. Never empty.
    package var sections: [PlanSection]
    /// Bars or beats before the first that is played.
    public var countIn: CountIn?
    /// Muted bars.
    package var gap: GapPlan?
    /// Muted beats.
    package var mutes: RandomMute?
    /// The bar to begin at; `nil`: the first. A count-in then comes before this bar, in the tempo and the meter it has.
    public var entryBar: Int64?
    /// Where it ends, if not with the last section.
    public var end: PlanEnd?
    /// The section at which it goes on after the last one; `nil`: it ends there.
    package var loopSection: Int?

    /// A plan of these sections.
    package init(sections: [PlanSection]) { self.sections = sections }

    /// One tempo and one bar for ever.
    ///
    /// - Parameters:
    ///   - tempo: quarter notes per minute.
    ///   - accents: as `AccentPattern` has them.
    ///   - meter: `nil` lets the accents decide how long a bar is.
    ///   - subdivision: the parts of a beat.
    public init(
        tempo: Tempo, accents: AccentPattern = .every(4), meter: Meter? = nil, subdivision: Subdivision = .whole
    ) throws(PlanError) {
        sections = [
            try PlanSection(tempo: .steady(tempo), accents: accents, meter: meter, subdivision: subdivision)
        ]
    }
}

/// What is played before bar 1.
public enum CountIn: Sendable, Hashable {
    /// Whole bars like the first one.
    case bars(Int)
    /// One bar of so many beats.
    case beats(Int)
}

/// Where a plan ends.
public enum PlanEnd: Sendable, Hashable {
    /// After so many bars, not counting the count-in.
    case bars(Int64)
    /// After so much time from its very start, 31 days at most.
    case time(Duration)
}

/// Bars of one kind.
package struct PlanSection: Sendable, Hashable {
    /// What it is called, to jump to it.
    package var label: String?
    /// How many bars; `nil`: without end.
    package var bars: Int64?
    /// The note value of a beat: 4 for quarters.
    package var denominator: Int
    /// The levels of the beats, for one bar or several in turn.
    package var levels: [[AccentLevel]]
    /// The tempo over these bars.
    package var tempo: TempoCourse
    /// The parts of a beat.
    package var subdivision: Subdivision
    /// How uneven pairs of parts are.
    package var swing: Swing
    /// Further voices.
    package var cross: CrossRhythm?
    /// A factor on the loudness, 0 or more. Where volumes above 1 leave no room for it below full scale, the whole plan is
    /// played softer, as much as its loudest stroke needs, so that the proportions stay.
    package var volume: Double
    /// Muted bars, counted from the first of this section, in place of the plan's.
    package var gap: GapPlan?

    /// Bars without end in one meter.
    package init(
        tempo: TempoCourse, accents: AccentPattern = .every(4), meter: Meter? = nil,
        subdivision: Subdivision = .whole, swing: Swing = .straight, cross: CrossRhythm? = nil
    ) throws(PlanError) {
        levels = try accents.bars(in: meter ?? cross.flatMap { try? Meter($0.counts[0], 4) })
        denominator = meter?.denominator ?? 4
        self.tempo = tempo
        self.subdivision = subdivision
        self.swing = swing
        self.cross = cross
        volume = 1
    }
}
