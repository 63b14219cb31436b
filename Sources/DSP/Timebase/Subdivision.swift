/// How a beat is divided, and how loud its parts are.
public struct Subdivision: Sendable, Hashable {
    /// 1 to 12 equal parts.
    public let count: Int
    /// The level of each part. The first part is the beat itself: silent here silences it, otherwise the beat keeps its
    /// own level.
    public let levels: [AccentLevel]

    /// The beat as it is.
    public static var whole: Subdivision { Subdivision(checked: 1) }

    /// A beat in `count` equal parts.
    public init(_ count: Int) throws(PlanError) {
        guard (1...12).contains(count) else { throw .partsOutOfRange(count) }
        self.init(checked: count)
    }

    package init(checked count: Int, levels: [AccentLevel]? = nil) {
        self.count = count
        self.levels = levels ?? Array(repeating: .normal, count: count)
    }
}
