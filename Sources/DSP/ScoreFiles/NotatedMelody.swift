package import Music

/// A melody on a grid: notes and rests of whole grid steps, cut at the bar lines into values that can be written.
package struct NotatedMelody: Sendable {
    /// A note or a rest with one note head.
    package struct Element: Sendable, Equatable {
        /// `nil` for a rest.
        package var note: Note?
        /// Grid steps.
        package var length: Int
        /// Whether it is tied to the one before, and to the next.
        package var isTiedBack = false, isTied = false
    }

    /// The bars, each filled.
    package private(set) var bars: [[Element]] = []
    /// Grid steps in a quarter and in a bar, and in what counts as a beat.
    package let stepsPerQuarter: Int, stepsPerBar: Int, stepsPerBeat: Int
    package let beats: Int, beatType: Int

    /// A gap of less than that part of the time between two notes is articulation, no rest.
    private static let articulation = 0.3

    /// Puts notes on the grid.
    ///
    /// - Parameters:
    ///   - positions: where times lie, in quarters. The first beat begins a bar.
    ///   - beats: of a bar, `beatType` for each: 3 and 4 for 3/4.
    ///   - shortest: the shortest value, as a share of a whole: 16 for a sixteenth.
    package init(_ notes: [MelodyNote], on positions: BeatPositions, beats: Int, beatType: Int, shortest: Int) {
        let perWhole = max(shortest, beatType, 4)
        (self.beats, self.beatType) = (beats, beatType)
        (stepsPerQuarter, stepsPerBar) = (perWhole / 4, beats * perWhole / beatType)
        // Three eighths make a beat of 6/8, 9/8 and 12/8.
        let isCompound = beatType >= 8 && beats > 3 && beats % 3 == 0
        stepsPerBeat = perWhole / beatType * (isCompound ? 3 : 1)
        let step = Double(stepsPerQuarter)
        let ordered = notes.sorted { $0.start < $1.start }
        var starts = ordered.map { Int((positions.position(of: $0.start) * step).rounded()) }
        // Two notes of one step: the later one moves on.
        for n in starts.indices.dropFirst() { starts[n] = max(starts[n], starts[n - 1] + 1) }
        // An upbeat stands in a bar of its own.
        let offset = starts.first.map { $0 < 0 ? (-$0 + stepsPerBar - 1) / stepsPerBar * stepsPerBar : 0 } ?? 0
        var place = 0
        for (n, note) in ordered.enumerated() {
            let start = starts[n] + offset
            if start > place { append(nil, from: &place, until: start) }
            var end = Int((positions.position(of: note.end) * step).rounded()) + offset
            if n + 1 < ordered.count {
                let next = starts[n + 1] + offset
                if Double(next - end) < Self.articulation * Double(next - start) || end > next { end = next }
            }
            append(note.note, from: &place, until: max(start + 1, end))
        }
        if place % stepsPerBar > 0 { append(nil, from: &place, until: (place / stepsPerBar + 1) * stepsPerBar) }
    }

    /// Fills the bars from `place` to `end`.
    private mutating func append(_ note: Note?, from place: inout Int, until end: Int) {
        let first = place
        while place < end {
            let inBar = place % stepsPerBar
            if inBar == 0 { bars.append([]) }
            let length = longest(at: inBar, atMost: min(end - place, stepsPerBar - inBar), isRest: note == nil)
            var element = Element(note: note, length: length)
            (element.isTiedBack, element.isTied) = (note != nil && place > first, note != nil && place + length < end)
            bars[bars.count - 1].append(element)
            place += length
        }
    }

    /// The longest value that can be written at a place in the bar: within a beat, or from one beat on.
    private func longest(at place: Int, atMost most: Int, isRest: Bool) -> Int {
        if place == 0, most == stepsPerBar, isRest || Value(steps: most, stepsPerQuarter) != nil { return most }
        let left = stepsPerBeat - place % stepsPerBeat
        // A note from the middle of a beat to the middle of the next reads well; a rest does not.
        let isSyncope = !isRest && place % stepsPerBeat * 2 == stepsPerBeat && most >= stepsPerBeat
        let limit = place % stepsPerBeat == 0 ? most : isSyncope ? stepsPerBeat : min(most, left)
        var length = limit
        while length > 1,
            Value(steps: length, stepsPerQuarter) == nil || (isRest && length > left && length % stepsPerBeat > 0)
        { length -= 1 }
        return length
    }

    /// A value as it is written.
    package struct Value: Sendable, Equatable {
        /// As MusicXML calls it.
        package let name: String
        package let hasDot: Bool

        /// `nil` for a length that takes two note heads.
        package init?(steps: Int, _ stepsPerQuarter: Int) {
            let names = ["whole", "half", "quarter", "eighth", "16th", "32nd", "64th"]
            for (power, name) in names.enumerated() {
                // A whole has four quarters.
                let whole = 4 * stepsPerQuarter
                if steps << power == whole {
                    (self.name, hasDot) = (name, false)
                    return
                }
                if steps << (power + 1) == 3 * whole {
                    (self.name, hasDot) = (name, true)
                    return
                }
            }
            return nil
        }
    }
}
