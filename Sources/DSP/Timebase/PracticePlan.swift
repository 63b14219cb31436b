/// What a metronome plays: sections of bars, count-in, muted bars and beats, start and end.
public struct PracticePlan: Sendable, Hashable {
    /// The sections in the order of playing, at least one; only the last may have no end.
    package var sections: [PlanSection]
    /// Bars or beats before the first that is played.
    public var countIn: CountIn?
    package var gap: GapPlan?
    package var mutes: RandomMute?
    /// The bar to start at; `nil`: the first. The count-in precedes this bar, in its tempo and meter.
    public var entryBar: Int64?
    /// Where it ends, if not after the last section.
    public var end: PlanEnd?
    /// The section that follows the last one; `nil`: the plan ends.
    package var loopSection: Int?

    package init(sections: [PlanSection]) { self.sections = sections }

    /// The plan with all its tempi multiplied; `nil` if one of them cannot be represented.
    public func scaled(by factor: Ratio) -> PracticePlan? {
        var scaled = self
        for index in scaled.sections.indices {
            guard let course = scaled.sections[index].tempo.scaled(by: factor) else { return nil }
            scaled.sections[index].tempo = course
        }
        return scaled
    }

    /// One tempo and one bar, repeated without end.
    ///
    /// - Parameters:
    ///   - tempo: so many notes per minute.
    ///   - note: the note value that the tempo counts; `nil`: the beat of the meter, a quarter without one. Without a meter
    ///     it is the beat.
    ///   - accents: `nil`: those of the meter.
    ///   - meter: `nil`: a bar is as long as the accents, or four beats.
    ///   - subdivision: the parts of a beat.
    public init(
        tempo: Tempo, counting note: NoteValue? = nil, accents: AccentPattern? = nil, meter: Meter? = nil,
        subdivision: Subdivision = .whole
    ) throws(PlanError) {
        let levels = try AccentPattern.levels(accents, meter: meter)
        let course = TempoCourse.steady(tempo, counting: note ?? .counted(in: meter))
        sections = [PlanSection(tempo: course, levels: levels, meter: meter)]
        sections[0].subdivision = subdivision
    }
}

/// Where a plan ends.
public enum PlanEnd: Sendable, Hashable {
    /// After this many bars, not counting the count-in.
    case bars(Int64)
    /// After this time, counted from the start of playing.
    case time(Duration)
}

/// Consecutive bars of one kind.
package struct PlanSection: Sendable, Hashable {
    /// A name to jump to.
    package var label: String?
    package var bars: Int64?
    /// The note value of a beat.
    package var beat: NoteValue
    /// The levels of the beats, for one bar or several in turn.
    package var levels: [[AccentLevel]]
    package var tempo: TempoCourse
    package var subdivision = Subdivision.whole
    package var swing = Swing.straight
    package var cross: CrossRhythm?
    /// A linear factor on the loudness, 0 or more. If the loudest stroke of the plan would exceed full scale, the whole plan
    /// plays softer, in proportion.
    package var volume = 1.0
    /// Muted bars in place of those of the plan, counted from the first bar of this section.
    package var gap: GapPlan?

    /// Bars without end of these levels; without a meter the note that the tempo counts is the beat.
    package init(tempo: TempoCourse, levels: [[AccentLevel]], meter: Meter?) {
        (self.tempo, self.levels, beat) = (tempo, levels, meter?.beat ?? tempo.noteValue)
    }
}
