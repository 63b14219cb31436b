/// An amplitude for each level, also on the audio thread.
package struct LevelAmplitudes: Sendable {
    /// By the number of the level; room for eight.
    internal private(set) var lanes = SIMD8<Float>()

    package init(_ amplitude: (AccentLevel) -> Float = { _ in 0 }) {
        for level in AccentLevel.allCases { self[level] = amplitude(level) }
    }

    package subscript(level: AccentLevel) -> Float {
        @_noLocks get { lanes[level.number] }
        set { lanes[level.number] = newValue }
    }
}
