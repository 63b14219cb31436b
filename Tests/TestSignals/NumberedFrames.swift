/// Plays 1, 2, 3, … in steps of 2^-20, so that every frame says which one it is; skipped frames leave their numbers
/// out. Silence is 0 and no frame of its own.
public struct NumberedFrames: Sendable {
    private var next = 0

    /// Frame 1 comes first.
    public init() {}

    /// Fills `frames` with the next numbers.
    public mutating func render(into frames: inout MutableSpan<Float>) {
        for i in frames.indices {
            next += 1
            frames[i] = Float(next) / 1_048_576
        }
    }

    /// Leaves `count` numbers out.
    public mutating func skip(frames count: Int) { next += count }

    /// Which frame a sample is.
    public static func number(of sample: Float) -> Int { Int(sample * 1_048_576) }
}
