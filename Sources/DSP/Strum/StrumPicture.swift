/// One state of the measurement of a strum. `StrumEngine.reading(of:)` tells the strings.
@frozen
public struct StrumPicture: Sendable, BitwiseCopyable {
    /// Which strum of the stream this is, from 1 on.
    public var strum: Int
    /// The sample with which the strum begins; 0 is the first sample of the stream.
    public var onset: Int64
    /// How many samples the measurement rests on: 0.25 to 2 s.
    public var window: Int
    /// Whether it is a strum: several of the strings at once. Otherwise it is a single note, or another sound.
    public var isStrum: Bool
    /// How much of the power in the window the strings explain, from 0 to 1.
    public var explained: Double
    /// Whether no longer window follows.
    public var isFinal: Bool

    @_noLocks init(strum: Int, onset: Int64, window: Int, isStrum: Bool, explained: Double, isFinal: Bool) {
        (self.strum, self.onset, self.window) = (strum, onset, window)
        (self.isStrum, self.explained, self.isFinal) = (isStrum, explained, isFinal)
    }
}
