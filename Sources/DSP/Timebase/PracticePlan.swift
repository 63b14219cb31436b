/// What is to be practised: sections of bars, a count-in, gaps, and where it ends.
public struct PracticePlan: Sendable, Hashable {
    /// The sections in the order they are played; only the last may be without end. Never empty.
    public var sections: [PlanSection]
    /// Bars or beats before the first that is played.
    public var countIn: CountIn?
    /// Muted bars.
    public var gap: GapPlan?
    /// Muted beats.
    public var mutes: RandomMute?
    /// The bar to begin at; `nil`: the first. A count-in then comes before this bar, in the tempo and the meter it has.
    public var entryBar: Int64?
    /// Where it ends, if not with the last section.
    public var end: PlanEnd?
    /// The section at which it goes on after the last one; `nil`: it ends there.
    public var loopSection: Int?

    /// A plan of these sections.
    public init(sections: [PlanSection]) { self.sections = sections }

    /// The same plan with all its tempi multiplied; `nil` if one of them is out of all reach.
    public func scaled(by factor: Ratio) -> PracticePlan? {
        var scaled = self
        for index in scaled.sections.indices {
            guard let course = scaled.sections[index].tempo.scaled(by: factor) else { return nil }
            scaled.sections[index].tempo = course
        }
        return scaled
    }

    /// One tempo and one bar for ever.
    ///
    /// - Parameters:
    ///   - tempo: beats per minute, of the note value that the meter has.
    ///   - accents: `nil`: those of the meter.
    ///   - meter: `nil` lets the accents decide how long a bar is; four beats if they do not.
    public init(tempo: Tempo, accents: AccentPattern? = nil, meter: Meter? = nil) throws(PlanError) {
        let course = TempoCourse.steady(tempo, counting: meter?.beat ?? .quarter)
        sections = [try PlanSection(tempo: course, accents: accents, meter: meter)]
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
public struct PlanSection: Sendable, Hashable {
    /// What it is called, to jump to it.
    public var label: String?
    /// How many bars; `nil`: without end.
    public var bars: Int64?
    /// The note value of a beat: 4 for quarters.
    public var denominator: Int
    /// The levels of the beats, for one bar or several in turn.
    public var levels: [[AccentLevel]]
    /// The tempo over these bars.
    public var tempo: TempoCourse
    /// The parts of a beat.
    public var subdivision: Subdivision
    /// How uneven pairs of parts are.
    public var swing: Swing
    /// Further voices.
    public var cross: CrossRhythm?
    /// A factor on the loudness, 0 or more. Where volumes above 1 leave no room for it below full scale, the whole plan is
    /// played softer, as much as its loudest stroke needs, so that the proportions stay.
    public var volume: Double
    /// Muted bars, counted from the first of this section, in place of the plan's.
    public var gap: GapPlan?

    /// Bars without end in one meter; of quarters where none is named.
    ///
    /// - Parameter accents: `nil`: those of the meter.
    public init(
        tempo: TempoCourse, accents: AccentPattern? = nil, meter: Meter? = nil,
        subdivision: Subdivision = .whole, swing: Swing = .straight, cross: CrossRhythm? = nil
    ) throws(PlanError) {
        levels = try AccentPattern.levels(accents, meter: meter, cross: cross)
        denominator = meter?.denominator ?? 4
        self.tempo = tempo
        self.subdivision = subdivision
        self.swing = swing
        self.cross = cross
        volume = 1
    }
}
