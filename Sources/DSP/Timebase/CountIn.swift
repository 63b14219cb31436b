/// What is played before bar 1.
public enum CountIn: Sendable, Hashable {
    /// Bars like the first one.
    case bars(Int)
    /// One bar with this many beats.
    case beats(Int)
}

extension CountIn {
    /// The count-in as a section: like the one that follows, with every beat audible and undivided.
    internal func section(before following: PlanSection, levels: [AccentLevel], tempo: Ratio) -> PlanSection {
        var section = following
        (section.label, section.cross, section.gap) = (nil, nil, nil)
        (section.subdivision, section.swing) = (.whole, .straight)
        section.levels = [levels.map { max($0, .normal) }]
        section.tempo.pieces = [TempoCourse.Piece(law: .steady(tempo))]
        switch self {
        case .bars(let count): section.bars = Int64(count)
        case .beats(let count):
            section.bars = 1
            section.levels = [[.accent] + Array(repeating: .normal, count: count - 1)]
        }
        return section
    }
}
