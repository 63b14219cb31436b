/// How a beat is divided, and how loud its parts are.
public struct Subdivision: Sendable, Hashable {
    /// The parts of a beat: a number, or the notes of a value that fit into it.
    package enum Parts: Sendable, Hashable {
        case count(Int)
        /// Notes of this value: eighths divide a quarter in two, and leave an eighth undivided.
        case notes(NoteValue)
    }

    /// The parts of a beat.
    package let parts: Parts
    /// The level of each part; empty: all normal. In the first, `silent` mutes the beat; others leave its level unchanged.
    public let levels: [AccentLevel]

    /// The undivided beat.
    public static var whole: Subdivision { Subdivision(parts: .count(1)) }

    /// A beat in 1 to 12 equal parts.
    public init(_ count: Int) throws(PlanError) {
        guard Self.counts.contains(count) else { throw .partsOutOfRange(count) }
        self.init(parts: .count(count))
    }

    /// Parts of the beat with their levels, which are checked when a plan is laid out.
    package init(parts: Parts, levels: [AccentLevel] = []) { (self.parts, self.levels) = (parts, levels) }

    /// The levels of the parts of one beat. Swing needs pairs of parts, so an undivided beat then has two.
    package func levels(in beat: NoteValue, isSwung: Bool) throws(PlanError) -> [AccentLevel] {
        var count = 1
        switch parts {
        case .count(let parts): count = parts == 1 && isSwung ? 2 : parts
        case .notes(let note):
            let exact = beat.count(of: note)
            guard exact.denominator == 1, Self.counts.contains(Int(exact.numerator)) else {
                throw .notesDoNotFit(note, beat: beat)
            }
            count = Int(exact.numerator)
        }
        guard !isSwung || count.isMultiple(of: 2) else { throw .swingNeedsPairs(parts: count) }
        guard levels.isEmpty || levels.count == count || count == 2 && parts == .count(1) else {
            throw .levelsDoNotFit(levels.count, parts: count)
        }
        return levels.count == count ? levels : Array(repeating: .normal, count: count)
    }

    private static var counts: ClosedRange<Int> { 1...12 }
}
