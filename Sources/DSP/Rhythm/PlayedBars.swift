internal import Timebase

/// What was played in each bar, of the newest bars.
internal struct PlayedBars: Sendable {
    /// One bar in the order of playing.
    internal struct Bar: Sendable {
        let playedBar: Int64
        /// Its number in the plan.
        let number: Int64
        /// Its beats that are over, and how many of them are muted; its notes, and how many of them are at muted points.
        var beats = 0, mutedBeats = 0, notes = 0, mutedNotes = 0
        var timing = LatenessMoments()
        /// The last note: how late, and its standard error, in seconds.
        var last: (late: Double, error: Double)?

        /// Whether something is known of it.
        var isPlayed: Bool { beats > 0 || notes > 0 }
        /// Whether all of it is muted.
        var isMuted: Bool { beats == 0 ? notes == mutedNotes : beats == mutedBeats }

        mutating func add(_ note: PlayedNote) {
            notes += 1
            mutedNotes += note.isMuted ? 1 : 0
            timing.add(note)
            last = (note.late, note.standardError)
        }
    }

    /// In the order of playing.
    internal private(set) var bars: [Bar] = []
    private let most: Int

    internal init(most: Int) { self.most = most }

    /// Makes the bar of a point known.
    internal mutating func open(_ point: GridPoint) {
        let place = place(of: point.playedBar)
        guard place == bars.count || bars[place].playedBar != point.playedBar else { return }
        bars.insert(Bar(playedBar: point.playedBar, number: point.stroke.bar), at: place)
        if bars.count > most + most / 8 { bars.removeFirst(bars.count - most) }
    }

    internal mutating func add(_ point: GridPoint) {
        guard point.stroke.isBeat else { return }
        open(point)
        let place = place(of: point.playedBar)
        guard place < bars.count, bars[place].playedBar == point.playedBar else { return }
        bars[place].beats += 1
        bars[place].mutedBeats += point.stroke.isMuted ? 1 : 0
    }

    internal mutating func add(_ note: PlayedNote) {
        let place = place(of: note.point.playedBar)
        // A bar that is not kept any more, if the note was told very late.
        guard place < bars.count, bars[place].playedBar == note.point.playedBar else { return }
        bars[place].add(note)
    }

    /// The bars after one in the order of playing of which something is known, with further notes.
    internal func with(_ notes: [PlayedNote], after playedBar: Int64 = .min) -> [Bar] {
        var some = PlayedBars(most: most)
        some.bars = Array(bars[(playedBar == .min ? 0 : place(of: playedBar + 1))...])
        for note in notes { some.add(note) }
        return some.bars.filter(\.isPlayed)
    }

    /// Where a bar is, or belongs: nearly always at the end.
    private func place(of playedBar: Int64) -> Int {
        if let last = bars.last, last.playedBar < playedBar { return bars.count }
        var (low, high) = (0, bars.count)
        while low < high {
            let middle = (low + high) / 2
            if bars[middle].playedBar < playedBar { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
