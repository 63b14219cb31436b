extension BeatFollower {
    /// What the metronome does.
    public enum State: Sendable, Hashable, BitwiseCopyable {
        /// It is silent, and waits for so many more even notes.
        case waiting(notes: Int)
        /// It plays with the player.
        case following
        /// It plays on, and has not heard the player for so many beats.
        case alone(beats: Int)
    }

    /// What it does now.
    public var state: State {
        @_noLocks get {
            guard isFollowing else { return .waiting(notes: 4 - min(3, starting.count)) }
            let silent = next - 1 - lastHeard
            return silent > 1 ? .alone(beats: silent) : .following
        }
    }
}
