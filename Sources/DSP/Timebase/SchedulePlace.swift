internal import Realtime

/// Where a beat stands in a schedule: the segment, the cycle of its pattern, and the stroke.
internal struct SchedulePlace: BitwiseCopyable {
    internal var segment: Int
    internal var cycle: Int64
    internal var stroke: Int

    @_noLocks internal init(segment: Int, cycle: Int64, stroke: Int) {
        (self.segment, self.cycle, self.stroke) = (segment, cycle, stroke)
    }
}

extension BeatSchedule {
    /// Finds a beat by halving the list of segments, then in the cycle of the pattern.
    @_noLocks internal func place(bar: Int64, beat: Int32) -> SchedulePlace? {
        let count = planSegmentCount
        // 2⁴⁸ bars: out of reach whatever the tempo, and near enough to be counted in.
        if bar >= 1 << 48 || beat < 1 { return nil }
        if count == 0 || bar < segments[0].startBar { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            let candidate = segments[middle]
            let isLater = candidate.startBar > bar || (candidate.startBar == bar && candidate.startBeat >= beat)
            if isLater { high = middle } else { low = middle }
        }
        let found = segments[low]
        let inside = bar - found.firstBar
        let place = SchedulePlace(segment: low, cycle: inside / found.cycleBars, stroke: 0)
        let wanted = Int32(inside % found.cycleBars)
        for offset in 0..<found.strokeCount {
            let source = strokes[found.firstStroke + offset]
            if source.part != 0 || source.layer != 0 || source.bar != wanted || source.beat != beat - 1 { continue }
            if place.cycle >= Int64.max / 4 / found.cycleTicks { return nil }
            let tick = place.cycle * found.cycleTicks + source.tick
            if tick >= found.endTick { break }
            if found.isOutOfReach(tick: tick) { return nil }
            return SchedulePlace(segment: low, cycle: place.cycle, stroke: offset)
        }
        return beat > 1 ? self.place(bar: bar + 1, beat: 1) : nil
    }

    /// The number of the beat at a place, from 1.
    @_noLocks internal func beat(at place: SchedulePlace) -> Int32 {
        strokes[segments[place.segment].firstStroke + place.stroke].beat + 1
    }
}
