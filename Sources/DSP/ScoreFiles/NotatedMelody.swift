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
        /// Whether it is of a triplet: three eighths in a quarter; and whether that begins or ends with it.
        package var isTriplet = false, beginsTriplet = false, endsTriplet = false
    }

    /// The bars, each filled; the first is shorter where the melody begins with an upbeat.
    package private(set) var bars: [[Element]] = []
    /// Grid steps in a quarter and in a bar, and in what counts as a beat.
    package let stepsPerQuarter: Int, stepsPerBar: Int, stepsPerBeat: Int
    package let beats: Int, beatType: Int
    /// The quarters that are played as triplets, counted from the first bar.
    private let triplets: Set<Int>
    /// Steps of the bars before the first beat, as if they were full, and those of them before the first note, which are not written.
    private let upbeat: Int, missing: Int
    private let values: WrittenValues

    /// Puts notes on the grid.
    ///
    /// - Parameters:
    ///   - positions: where times lie, in quarters. The first beat begins a bar; a note before it is an upbeat.
    ///   - beats: of a bar, `beatType` for each: 3 and 4 for 3/4.
    ///   - shortest: the shortest value, as a share of a whole: 16 for a sixteenth.
    ///   - triplets: the quarters that are played in three parts, counted from the first beat; in meters of quarters only.
    package init(
        _ notes: [MelodyNote], on positions: BeatPositions, beats: Int, beatType: Int, shortest: Int,
        triplets: Set<Int> = []
    ) {
        let grid = MelodySteps(shortest: max(shortest, beatType, 4), triplets: beatType == 4 ? triplets : [])
        (self.beats, self.beatType) = (beats, beatType)
        let perBar = beats * 4 * grid.perQuarter / beatType
        (stepsPerQuarter, stepsPerBar) = (grid.perQuarter, perBar)
        // Three eighths make a beat of 6/8, 9/8 and 12/8.
        let isCompound = beatType >= 8 && beats > 3 && beats % 3 == 0
        stepsPerBeat = 4 * grid.perQuarter / beatType * (isCompound ? 3 : 1)
        let ordered = notes.sorted { $0.start < $1.start }
        var starts = ordered.map { grid.step(at: positions.position(of: $0.start)) }
        // Two notes of one step: the later one moves on.
        for n in starts.indices.dropFirst() { starts[n] = max(starts[n], grid.step(after: starts[n - 1])) }
        // An upbeat stands in a bar of its own, which begins with it.
        let offset = starts.first.map { $0 < 0 ? (-$0 + perBar - 1) / perBar * perBar : 0 } ?? 0
        upbeat = offset
        // Of meters of quarters, whose bars are whole quarters.
        self.triplets = Set(grid.triplets.map { $0 + offset / grid.perQuarter })
        // A triplet is whole.
        let first = offset + min(0, starts.first ?? 0)
        missing = self.triplets.contains(first / grid.perQuarter) ? first - first % grid.perQuarter : first
        values = WrittenValues(
            stepsPerQuarter: grid.perQuarter, stepsPerBar: perBar, stepsPerBeat: stepsPerBeat, isCompound: isCompound)
        let written = WrittenEnd(
            stepsPerQuarter: grid.perQuarter, stepsPerBeat: stepsPerBeat, isCompound: isCompound,
            triplets: self.triplets)
        var place = missing
        for (n, note) in ordered.enumerated() {
            let start = starts[n] + offset
            if start > place { append(nil, from: &place, until: start) }
            let (begin, finish) = (positions.position(of: note.start), positions.position(of: note.end))
            let end = max(grid.step(after: starts[n]), grid.step(at: finish)) + offset
            let next = n + 1 < starts.count ? starts[n + 1] + offset : nil
            let length = (finish - begin) * Double(grid.perQuarter)
            append(note.note, from: &place, until: written.step(from: start, sounding: (end, length), next: next))
        }
        if place % stepsPerBar > 0 { append(nil, from: &place, until: (place / stepsPerBar + 1) * stepsPerBar) }
    }

    /// The length of an upbeat that stands in a bar of its own; 0 without one.
    package var upbeatLength: Int { missing == 0 ? 0 : stepsPerBar - missing }

    /// Where a quarter, counted from the first beat, begins: steps from the beginning of a bar; `nil` outside that bar.
    func step(ofQuarter quarter: Double, inBar index: Int) -> Int? {
        let step = upbeat + Int((quarter * Double(stepsPerQuarter)).rounded()) - index * stepsPerBar
        let first = index == 0 ? missing : 0
        return (first..<stepsPerBar).contains(step) ? step - first : nil
    }

    /// Fills the bars from `place` to `end`.
    private mutating func append(_ note: Note?, from place: inout Int, until end: Int) {
        let first = place
        while place < end {
            let inBar = place % stepsPerBar
            if inBar == 0 || bars.isEmpty { bars.append([]) }
            let most = min(end - place, stepsPerBar - inBar)
            let elements =
                triplet(at: place, note, atMost: most).map { [$0] }
                ?? values.lengths(from: inBar, to: inBar + min(most, untilTriplet(from: place)), isRest: note == nil)
                .map { Element(note: note, length: $0) }
            for var element in elements {
                let next = place + element.length
                (element.isTiedBack, element.isTied) = (note != nil && place > first, note != nil && next < end)
                bars[bars.count - 1].append(element)
                place = next
            }
        }
    }

    /// An element of a triplet; `nil` where none is played.
    private func triplet(at place: Int, _ note: Note?, atMost most: Int) -> Element? {
        let inQuarter = place % stepsPerQuarter
        guard triplets.contains(place / stepsPerQuarter), inQuarter > 0 || most < stepsPerQuarter else { return nil }
        let length = min(most, stepsPerQuarter - inQuarter)
        return Element(
            note: note, length: length, isTriplet: true, beginsTriplet: inQuarter == 0,
            endsTriplet: inQuarter + length == stepsPerQuarter)
    }

    /// The steps to the next triplet, whose notes are written by themselves.
    private func untilTriplet(from place: Int) -> Int {
        guard !triplets.isEmpty else { return .max }
        let (first, last) = (place / stepsPerQuarter + 1, place / stepsPerBar * stepsPerBar + stepsPerBar)
        let next = (first...max(first, last / stepsPerQuarter)).first { triplets.contains($0) }
        return next.map { $0 * stepsPerQuarter - place } ?? .max
    }

    /// A value as it is written.
    package struct Value: Sendable, Equatable {
        /// As MusicXML calls it.
        package let name: String
        package let hasDot: Bool

        /// The value of an element: in a triplet three stand for two.
        package init?(_ element: Element, _ stepsPerQuarter: Int) {
            self.init(steps: element.isTriplet ? element.length * 3 / 2 : element.length, stepsPerQuarter)
        }

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
