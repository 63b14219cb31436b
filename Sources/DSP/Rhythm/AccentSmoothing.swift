/// Spreads accents over five frames, some 30 ms, as 1 2 3 2 1: players scatter by some 10 ms.
internal struct AccentSmoothing: BitwiseCopyable, Sendable {
    private var last: (Float, Float, Float, Float) = (0, 0, 0, 0)

    @_noLocks init() {}

    /// Takes an accent in, and returns the mean of the last five, the middle one with the most weight.
    @_noLocks mutating func take(_ accent: Float) -> Float {
        let (first, second, third, fourth) = last
        last = (second, third, fourth, accent)
        return (first + 2 * second + 3 * third + 2 * fourth + accent) / 9
    }
}
