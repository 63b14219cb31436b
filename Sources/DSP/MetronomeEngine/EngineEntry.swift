internal import Realtime
internal import Synthesis
internal import Timebase

/// Where the engine begins to play.
extension MetronomeEngine {
    /// Begins at a bar instead of the beginning. `position` becomes the frame at which the whole plan has that bar, and what
    /// is rendered from there is the tail of the whole to the bit, with what still rings of the clicks before it. A time
    /// limit counts from there.
    ///
    /// - Returns: false, and nothing changes, if the plan does not have that bar. Not for the audio thread.
    public mutating func start(atBar bar: Int64) -> Bool {
        guard scheduler.seek(bar: bar) else { return false }
        position = scheduler.next.frame
        track.reset()
        if let limit = schedule.pointee.timeLimit {
            timeLimit = position + limit
            endFrame = schedule.pointee.endFrame(from: position)
        }
        ringIn()
        return true
    }

    /// Plays the clicks before this place unheard, as far back as they can ring into it. There are none before the beginning
    /// of the plan or of a count-in. Allocates.
    internal mutating func ringIn() {
        let (start, waiting) = (position, pendingCount)
        (firstHeard, hasFaded) = (Int64.min, false)
        guard isRunning, scheduler.rewind(by: Int64(track.longestRing)) else { return }
        // Commands are for what is heard.
        (position, firstHeard, pendingCount) = (scheduler.nextFrame, start, 0)
        var block = [Float](repeating: 0, count: 4_096)
        var span = block.mutableSpan
        while position < start {
            var part = span._mutatingExtracting(first: Int(min(start - position, 4_096)))
            play(into: &part)
        }
        pendingCount = waiting
        if beat.frame < start { beat = .none }
        for layer in lastStruck.indices where lastStruck[layer] < start { lastStruck[layer] = Self.longAgo }
    }
}
