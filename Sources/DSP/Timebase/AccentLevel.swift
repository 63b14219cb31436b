package import Music

/// How much a beat stands out.
///
/// A new level needs a case and its row in `facts`, a mark in displays and a pitch (`ClickVoice`).
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

    /// Letter, name, peak in decibels below the loudest level, and MIDI velocity relative to full.
    private var facts: (letter: Character, name: String, loudness: Double, velocity: Float) {
        switch self {
        case .silent: (".", "silent", -.infinity, 0)
        case .normal: ("x", "normal", -6, 0.55)
        case .medium: ("o", "medium", -3, 0.75)
        case .accent: ("X", "accent", 0, 1)
        }
    }

    /// Whether `lhs` stands out less.
    @_noLocks public static func < (lhs: AccentLevel, rhs: AccentLevel) -> Bool { lhs.number < rhs.number }

    /// 0 for silent to 3 for accented.
    public var number: Int { @_noLocks get { Int(rawValue) } }

    /// `X`, `o`, `x` or `.`.
    public var letter: Character { facts.letter }
    package var name: String { facts.name }
    /// The peak of a click below that of the loudest level, unless its sound says otherwise.
    package var defaultLoudness: Decibels { facts.loudness.decibels }
    package var relativeVelocity: Float { facts.velocity }

    /// The level written as this letter.
    public init?(letter: Character) {
        guard let level = Self.allCases.first(where: { $0.letter == letter }) else { return nil }
        self = level
    }

    /// The numbers of all levels.
    package static var numbers: ClosedRange<Int> { 0...allCases.count - 1 }
    /// All levels but silent, the softest first.
    package static var audible: [AccentLevel] { allCases.filter { $0 != .silent } }
    /// `X accent, o medium, x normal, . silent`.
    package static var legend: String { allCases.reversed().map { "\($0.letter) \($0.name)" }.joined(separator: ", ") }
}
