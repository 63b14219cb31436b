/// How a beat is divided, and how loud its parts are.
public struct Subdivision: Sendable, Hashable {
    /// The parts of a beat: so many, or as many notes of a kind as fit into it.
    public enum Parts: Sendable, Hashable {
        /// 1 to 12 equal parts.
        case count(Int)
        /// Notes of this value: eighths halve a quarter and leave an eighth as it is.
        case notes(NoteValue)
    }

    /// The parts of a beat.
    public let parts: Parts
    /// The level of each part; empty: all normal. The first part is the beat itself: silent here silences it, otherwise
    /// the beat keeps its own level.
    public let levels: [AccentLevel]

    /// The beat as it is.
    public static var whole: Subdivision { Subdivision(parts: .count(1)) }

    /// A beat in 1 to 12 equal parts.
    public init(_ count: Int) throws(PlanError) {
        guard Self.counts.contains(count) else { throw .partsOutOfRange(count) }
        self.init(parts: .count(count))
    }

    /// Parts of the beat with their levels; whether both fit is found when a plan is laid out.
    public init(parts: Parts, levels: [AccentLevel] = []) { (self.parts, self.levels) = (parts, levels) }

    /// The parts of one beat with their levels.
    ///
    /// - Parameters:
    ///   - beat: the note value of the beat.
    ///   - isSwung: swing moves every second part, so that a beat for which no parts were named has two.
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
