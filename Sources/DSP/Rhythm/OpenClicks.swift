internal import Realtime

/// The clicks whose note may still come, and those that are over.
internal struct OpenClicks: ~Copyable, Sendable {
    private var told = BoundedQueue<FollowedBeat>(capacity: 64, filler: FollowedBeat())
    private var open = BoundedQueue<FollowedBeat>(capacity: 8, filler: FollowedBeat())
    /// A note near the next click, which is not struck yet.
    private var early: Double?

    init() {}

    /// The oldest that is over and was not taken yet.
    @_noLocks mutating func next() -> FollowedBeat? { told.pop() }

    /// A note near the click that is struck next.
    @_noLocks mutating func expect(_ frame: Double) { early = frame }

    /// A click was struck.
    @_noLocks mutating func strike(_ click: FollowedBeat) {
        var click = click
        click.note = early
        early = nil
        open.push(click)
    }

    /// A note was played on a click: the one nearest to it stays.
    @_noLocks mutating func note(_ frame: Double, on number: Int) {
        for n in 0..<open.count where open[n].number == number {
            if let note = open[n].note, abs(note - open[n].click) <= abs(frame - open[n].click) { return }
            (open[n].note, open[n].silentBeats) = (frame, 0)
        }
    }

    /// The oldest click that no note can belong to any more, now over.
    @_noLocks mutating func pass(_ frame: Double, sampleRate: Double) -> FollowedBeat? {
        guard open.count > 0, frame - open[0].click > 0.5 * 60 / open[0].beatsPerMinute * sampleRate,
            let beat = open.pop()
        else { return nil }
        told.push(beat)
        return beat
    }

    /// All are over.
    @_noLocks mutating func stop() {
        while let beat = open.pop() { told.push(beat) }
        early = nil
    }
}
