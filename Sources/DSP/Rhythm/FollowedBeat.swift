/// A beat of a metronome that follows a player.
public struct FollowedBeat: Sendable, BitwiseCopyable {
    /// Counts the clicks since the start, from 1.
    public var number = 0
    /// When the click was struck, in frames of the metronome.
    public var click = 0.0
    /// When the player's note on this beat began, in frames of the metronome, if there was one.
    public var note: Double?
    /// The tempo that is followed at this beat, in beats per minute.
    public var beatsPerMinute = 0.0
    /// How many beats ago the player was last heard on the beat: 0, if on this one.
    public var silentBeats = 0

    @_noLocks internal init() {}
}
