package import Timebase

// A recording may be heard twice: its clicks are known then from the first one on.
extension ListeningEngine {
    /// Gives the next stroke that is heard in what is learnt from.
    @_noLocks package mutating func expectToLearn(_ stroke: BeatEvent) { plan(stroke) }

    /// Learns what the clicks sound like, and tells nothing of notes: as `process`, before it.
    ///
    /// From then on, clicks are expected where the positions say to a fraction of a sample.
    @_noLocks package mutating func learn(
        _ samples: borrowing Span<Float>, at position: Double, framesPerSample: Double = 1
    ) {
        isAxisExact = true
        forEachPart(samples, at: position, framesPerSample: framesPerSample, isHeard: false)
    }

    /// Ends the learning: what is processed next is the beginning again.
    @_noLocks package mutating func beginAgain() { rewind() }
}
