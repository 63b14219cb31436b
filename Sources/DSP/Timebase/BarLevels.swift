/// The levels of the first 32 beats of a bar, small enough to go with each event.
package struct BarLevels: Sendable, Hashable, BitwiseCopyable {
    private var numbers = SIMD32<UInt8>()

    /// Displays have no room for more beats.
    package static var capacity: Int { 32 }

    @_noLocks internal init() {}

    package init(_ levels: [AccentLevel]) {
        for (index, level) in levels.prefix(Self.capacity).enumerated() { numbers[index] = level.rawValue }
    }

    /// The level of a beat, counted from 1; `nil` beyond the capacity.
    package subscript(beat beat: Int) -> AccentLevel? {
        (1...Self.capacity).contains(beat) ? AccentLevel(rawValue: numbers[beat - 1]) : nil
    }
}
