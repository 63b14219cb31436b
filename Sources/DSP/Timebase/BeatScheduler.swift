internal import Realtime

/// Walks a schedule stroke by stroke on the audio thread.
///
/// In a steady tempo each step is one addition with integer carry: no division, no floating point. A moving tempo is
/// evaluated by its closed form. A segment begins at the exact instant that its predecessor ends. Only after a live
/// change of the plan, when the grid has moved against the tables, does the start of a segment cost a division.
public struct BeatScheduler: ~Copyable, @unchecked Sendable {
    // The schedule is owned by whoever made this scheduler, and only read.
    internal var schedule: UnsafePointer<BeatSchedule>
    internal var index = 0
    internal var segment = Segment()
    private var cycle: Int64 = 0
    private var stroke = 0
    internal var tick: Int64 = 0
    /// The instant of `anchorTick`, and what has been carried since.
    internal var anchor = FramePosition(frame: 0)
    internal var anchorTick: Int64 = 0
    private var carried: Int64 = 0
    private var remainder: UInt64 = 0
    /// The grid lies elsewhere than the tables say: a jump, a nudge, a change of plan.
    internal var isShifted = false
    /// No stroke is left.
    public internal(set) var isFinished = false

    /// Stands on the first stroke of `schedule`, or where the plan is entered; the schedule has to outlive the scheduler.
    public init(_ schedule: UnsafePointer<BeatSchedule>) {
        self.schedule = schedule
        begin()
    }

    /// The stroke that comes next, or the end of the plan when none is left.
    public var next: BeatEvent {
        @_noLocks get {
            var result = BeatEvent()
            if isFinished {
                (result.frame, result.floorFrame) = (anchor.nearestFrame, anchor.whole)
                (result.fraction, result.isEnd) = (anchor.fraction, true)
                return result
            }
            (result.frame, result.floorFrame, result.fraction) = instant
            let source = schedule.pointee.strokes[segment.firstStroke + stroke]
            result.bar = segment.firstBar + cycle * segment.cycleBars + Int64(source.bar)
            result.beat = source.beat + 1
            result.beatsInBar = source.beatsInBar
            result.part = source.part
            result.layer = source.layer
            result.level = source.level
            result.isMuted = isMuted(bar: result.bar, beat: result.beat)
            result.volume = segment.volume
            result.section = segment.section
            result.denominator = segment.denominator
            result.tempo = segment.tempo(atTick: tick)
            result.barLevels = schedule.pointee.barLevels[segment.firstBarLevels + Int(source.bar)]
            return result
        }
    }

    /// The frame nearest to the next stroke; `Int64.max` when none is left.
    public var nextFrame: Int64 { @_noLocks get { isFinished ? Int64.max : instant.nearest } }

    /// Whether the next stroke is a beat of the bar, and not a part of one or another voice.
    public var isOnBeat: Bool {
        @_noLocks get {
            let source = schedule.pointee.strokes[segment.firstStroke + stroke]
            return source.part == 0 && source.layer == 0
        }
    }

    /// The exact instant of the next stroke.
    public var position: FramePosition {
        @_noLocks get { isFinished ? anchor : segment.position(ofTick: tick, from: anchor, at: anchorTick) }
    }

    /// Moves on to the following stroke.
    @_noLocks public mutating func advance() {
        if isFinished { return }
        let source = schedule.pointee.strokes[segment.firstStroke + stroke]
        stroke += 1
        if stroke == segment.strokeCount {
            stroke = 0
            cycle += 1
        }
        tick = cycle * segment.cycleTicks + schedule.pointee.strokes[segment.firstStroke + stroke].tick
        if tick >= segment.endTick {
            leave()
            return
        }
        if !segment.isSteady { return }
        let increment = schedule.pointee.increments[segment.firstIncrement + Int(source.step)]
        carried += increment.whole
        remainder += increment.remainder
        if remainder >= segment.tickDenominator {
            remainder -= segment.tickDenominator
            carried += 1
        }
    }

    // MARK: Helpers

    /// The instant of the next stroke: nearest frame, frame at or before it, fraction after that.
    private var instant: (nearest: Int64, floor: Int64, fraction: Double) {
        @_noLocks get {
            if !segment.isSteady {
                let frames =
                    segment.rampFrames(atTick: tick) - segment.rampFrames(atTick: anchorTick) + anchor.fraction
                let floor = Int64(frames)
                let fraction = frames - Double(floor)
                return (anchor.whole + floor + (fraction >= 0.5 ? 1 : 0), anchor.whole + floor, fraction)
            }
            let whole = anchor.whole + carried
            // a/A + r/B against 1/2, 1 and 3/2, all over 2·A·B: products of 62-bit numbers, so nothing overflows.
            let product = UInt128(anchor.denominator) * UInt128(segment.tickDenominator)
            let sum =
                UInt128(anchor.numerator) * UInt128(segment.tickDenominator)
                + UInt128(remainder) * UInt128(anchor.denominator)
            let nearest = whole + (2 * sum >= product ? 1 : 0) + (2 * sum >= 3 * product ? 1 : 0)
            let carry: Int64 = sum >= product ? 1 : 0
            let rest = sum - (carry == 1 ? product : 0)
            return (nearest, whole + carry, floating(rest) / floating(product))
        }
    }

    @_noLocks private func isMuted(bar: Int64, beat: Int32) -> Bool {
        if bar < 1 { return false }
        if let mutes = schedule.pointee.mutes, mutes.mutes(bar: bar, beat: beat) { return true }
        if segment.gapCount == 0 { return false }
        var flag = bar - segment.gapBar
        if flag >= Int64(segment.gapCount) {
            let repeatFrom = Int64(segment.gapRepeat)
            flag = repeatFrom + (flag - repeatFrom) % (Int64(segment.gapCount) - repeatFrom)
        }
        return flag >= 0 && schedule.pointee.gaps[segment.firstGap + Int(flag)]
    }

    /// Goes on with the segment after this one, at the instant this one ends.
    @_noLocks private mutating func leave() {
        var following = index + 1
        if index == schedule.pointee.countInSegment {
            let end = segment.position(ofTick: segment.endTick, from: anchor, at: anchorTick)
            let isMoved = isShifted
            if seek(bar: schedule.pointee.entryBar ?? 1), isMoved { (anchor, isShifted) = (end, true) }
            return
        }
        if following == schedule.pointee.planSegmentCount {
            following = schedule.pointee.loopSegment
            let end = segment.position(ofTick: segment.endTick, from: anchor, at: anchorTick)
            if following < 0 {
                isFinished = true
                anchor = end
                return
            }
            enter(following)
            anchor = end
            isShifted = true
            return
        }
        if isShifted {
            let end = segment.position(ofTick: segment.endTick, from: anchor, at: anchorTick)
            enter(following)
            anchor = end
        } else {
            enter(following)
        }
    }

    /// Stands on the first stroke of a segment, at the instant the tables have.
    @_noLocks internal mutating func enter(_ number: Int) {
        index = number
        segment = schedule.pointee.segments[number]
        cycle = segment.startCycle
        stroke = segment.startStroke
        tick = segment.startTick
        anchor = segment.anchor
        anchorTick = tick
        (carried, remainder) = (0, 0)
    }

    @_noLocks internal mutating func stand(on place: SchedulePlace) {
        enter(place.segment)
        cycle = place.cycle
        stroke = place.stroke
        tick = cycle * segment.cycleTicks + schedule.pointee.strokes[segment.firstStroke + stroke].tick
        anchorTick = tick
        isFinished = false
    }
}

/// The nearest floating-point number, or one beside it. The standard library's conversion is generic, which the audio
/// thread's check does not let pass.
@_noLocks private func floating(_ value: UInt128) -> Double {
    Double(UInt64(truncatingIfNeeded: value >> 64)) * 18_446_744_073_709_551_616
        + Double(UInt64(truncatingIfNeeded: value))
}
