/// One state of the measurement of a strum. `StrumEngine.reading(of:)` tells the strings.
@frozen
public struct StrumPicture: Sendable, BitwiseCopyable {
    /// Which strum of the stream this is, from 1 on.
    public var strum: Int
    /// The sample with which the strum begins; 0 is the first sample of the stream.
    public var onset: Int64
    /// How many samples the measurement rests on: 0.25 to 2 s.
    public var window: Int
    /// Which tuning the strings are in: 0 for that of the engine's `strings`, and from 1 on those of its `others`.
    public var tuning: Int
    /// Whether it is a strum: several of the strings at once. Otherwise it is a single note, or another sound.
    public var isStrum: Bool
    /// How much of the power in the window the strings explain, from 0 to 1.
    public var explained: Double
    /// Whether strong lines sound that are no partial of a heard string, as those of a string that is fretted, or more than 60
    /// cents off. Then it is no strum.
    public var hasForeignLines: Bool
    /// How nearly the sound repeats after a period of a single note: near 1 for one string, mostly below 0.7 for several.
    public var clarity: Double
    /// Whether no longer window follows.
    public var isFinal: Bool

    @_noLocks init(
        strum: Int, onset: Int64, window: Int, tuning: Int, isStrum: Bool, explained: Double,
        hasForeignLines: Bool, clarity: Double, isFinal: Bool
    ) {
        (self.strum, self.onset, self.window, self.tuning) = (strum, onset, window, tuning)
        (self.isStrum, self.explained, self.hasForeignLines) = (isStrum, explained, hasForeignLines)
        (self.clarity, self.isFinal) = (clarity, isFinal)
    }
}
