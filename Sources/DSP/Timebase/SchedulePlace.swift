internal import Realtime

/// The position of a beat in the tables: segment, cycle of its pattern, stroke.
internal struct SchedulePlace: BitwiseCopyable {
    internal var segment: Int
    internal var cycle: Int64
    internal var stroke: Int

    @_noLocks internal init(segment: Int, cycle: Int64, stroke: Int) {
        (self.segment, self.cycle, self.stroke) = (segment, cycle, stroke)
    }
}

extension SchedulePlace {
    /// Finds a beat by binary search of the segments, then in the cycle of the pattern. A beat that the bar does not have is
    /// the first of the next bar.
    ///
    /// - Parameters:
    ///   - segments: those of the plan, `count` of them, without the count-in before a later bar.
    ///   - strokes: those of all patterns.
    @_noLocks internal init?(
        bar: Int64, beat: Int32, segments: UnsafeMutableBufferPointer<Segment>, count: Int,
        strokes: UnsafeMutableBufferPointer<Stroke>
    ) {
        // Bars from 2⁴⁸ on are out of reach at any tempo, and their ticks could overflow.
        if bar >= 1 << 48 || beat < 1 { return nil }
        if count == 0 || bar < segments[0].startBar { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            let (startBar, startBeat) = (segments[middle].startBar, segments[middle].startBeat)
            if startBar > bar || (startBar == bar && startBeat >= beat) { high = middle } else { low = middle }
        }
        let found = segments[low]
        let inside = bar - found.firstBar
        let cycle = inside / found.cycleBars
        let wanted = Int32(inside % found.cycleBars)
        for offset in 0..<found.strokeCount {
            let source = strokes[found.firstStroke + offset]
            if source.part != 0 || source.layer != 0 || source.bar != wanted || source.beat != beat - 1 { continue }
            if cycle >= Int64.max / 4 / found.cycleTicks { return nil }
            let tick = cycle * found.cycleTicks + source.tick
            if tick >= found.endTick { break }
            if found.isOutOfReach(tick: tick) { return nil }
            self.init(segment: low, cycle: cycle, stroke: offset)
            return
        }
        if beat == 1 { return nil }
        self.init(bar: bar + 1, beat: 1, segments: segments, count: count, strokes: strokes)
    }
}

extension BeatSchedule {
    @_noLocks internal func place(bar: Int64, beat: Int32) -> SchedulePlace? {
        SchedulePlace(
            bar: bar, beat: beat, segments: segments.unsafeElements, count: planSegmentCount,
            strokes: strokes.unsafeElements)
    }

    /// The number of the beat at a place, from 1.
    @_noLocks internal func beat(at place: SchedulePlace) -> Int32 {
        strokes[segments[place.segment].firstStroke + place.stroke].beat + 1
    }
}
