/// How much a beat stands out.
@frozen
public enum AccentLevel: UInt8, Sendable, Hashable, Comparable, CaseIterable, BitwiseCopyable {
    /// Counted and shown, not heard.
    case silent = 0
    /// An ordinary beat.
    case normal = 1
    /// The first beat of an inner group, such as beat 4 of 3+2+2.
    case medium = 2
    /// The first beat of a bar.
    case accent = 3

    /// Whether `lhs` stands out less.
    @_noLocks public static func < (lhs: AccentLevel, rhs: AccentLevel) -> Bool { lhs.number < rhs.number }

    /// 0 for silent to 3 for accented.
    public var number: Int { @_noLocks get { Int(rawValue) } }
}
