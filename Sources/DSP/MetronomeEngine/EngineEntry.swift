internal import Realtime
internal import Synthesis
internal import Timebase

/// Where the engine begins to play.
extension MetronomeEngine {
    /// Renders the clicks before the entry bar unheard, as far back as they can ring into it, so that what is rendered from
    /// there is the tail of the whole to the bit. There are none before the beginning of the plan or of a count-in.
    /// Allocates.
    internal mutating func preRollTails() {
        let start = position
        guard scheduler.rewind(by: Int64(track.longestRing)) else { return }
        (position, firstHeard) = (scheduler.nextFrame, start)
        var block = [Float](repeating: 0, count: 4_096)
        var span = block.mutableSpan
        while position < start {
            var part = span._mutatingExtracting(first: Int(min(start - position, 4_096)))
            play(into: &part)
        }
        if beat.frame < start { beat = .none }
        for layer in lastStruck.indices where lastStruck[layer] < start { lastStruck[layer] = Self.longAgo }
    }
}
