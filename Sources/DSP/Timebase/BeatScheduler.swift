internal import Realtime

/// Walks a schedule stroke by stroke on the audio thread.
///
/// In a steady tempo a step costs one addition with integer carry, no division and no floating point. A ramp is evaluated
/// in closed form. A segment starts at the exact instant at which its predecessor ends. After a live change of the plan,
/// the start of a segment costs a division.
package struct BeatScheduler: ~Copyable, @unchecked Sendable {
    // Owned by the creator of this scheduler, and read only.
    internal var schedule: UnsafePointer<BeatSchedule>
    internal var index = 0
    internal var segment = Segment()
    private var cycle: Int64 = 0
    private var stroke = 0
    internal var tick: Int64 = 0
    /// The instant of `anchorTick`, its fraction in halves of the tick denominator and as a number, and the carry since.
    internal private(set) var anchor = FramePosition(frame: 0)
    private var anchorHalves: UInt64 = 0
    private var anchorFraction = 0.0
    internal private(set) var anchorTick: Int64 = 0
    private var carried: Int64 = 0
    private var remainder: UInt64 = 0
    /// Whether a jump, nudge or change of plan has moved the grid against the tables.
    internal var isShifted = false
    package internal(set) var isFinished = false

    /// Starts at the first stroke of a schedule, or at its entry bar. The schedule must outlive the scheduler.
    package init(_ schedule: UnsafePointer<BeatSchedule>) {
        self.schedule = schedule
        begin()
    }

    /// The stroke that comes next, or the end of the plan when none is left.
    package var next: BeatEvent {
        @_noLocks get {
            var result = BeatEvent()
            (result.frame, result.floorFrame, result.fraction) = instant
            if isFinished {
                result.isEnd = true
                return result
            }
            let source = schedule.pointee.strokes[segment.firstStroke + stroke]
            result.bar = segment.firstBar + cycle * segment.cycleBars + Int64(source.bar)
            (result.beat, result.beatsInBar, result.beatValue) = (source.beat + 1, source.beatsInBar, segment.beat)
            (result.part, result.partsInBeat) = (source.part, source.partsInBeat)
            (result.layer, result.level) = (source.layer, source.level)
            result.isMuted = segment.isMuted(
                bar: result.bar, beat: result.beat, mutes: schedule.pointee.mutes,
                gaps: schedule.pointee.gaps.unsafeElements)
            (result.volume, result.section) = (segment.volume, segment.section)
            (result.tempo, result.countedValue) = (segment.tempo(atTick: tick), segment.counted)
            result.barLevels = schedule.pointee.barLevels[segment.firstBarLevels + Int(source.bar)]
            return result
        }
    }

    /// The frame nearest to the next stroke; `Int64.max` when none is left.
    package var nextFrame: Int64 { @_noLocks get { isFinished ? Int64.max : instant.nearest } }

    /// Whether the next stroke is a beat of the bar, and not a part of one or another voice.
    package var isOnBeat: Bool {
        @_noLocks get {
            let source = schedule.pointee.strokes[segment.firstStroke + stroke]
            return source.part == 0 && source.layer == 0
        }
    }

    package var position: FramePosition {
        @_noLocks get { segment.position(ofTick: tick, from: anchor, at: anchorTick) }
    }

    /// Moves on to the following stroke.
    @_noLocks package mutating func advance() {
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
                let frames = segment.rampFrames(atTick: tick) - segment.rampFrames(atTick: anchorTick) + anchor.fraction
                let floor = Int64(frames)
                let fraction = frames - Double(floor)
                return (anchor.whole + floor + (fraction >= 0.5 ? 1 : 0), anchor.whole + floor, fraction)
            }
            // Compare anchor and remainder, in halves of 1/denominator, with 1/2, 1 and 3/2: the sum is below four times the
            // denominator, which has 62 bits.
            let (whole, denominator) = (anchor.whole + carried, segment.tickDenominator)
            let halves = anchorHalves + 2 * remainder
            let nearest = whole + (halves >= denominator ? 1 : 0) + (halves >= 3 * denominator ? 1 : 0)
            let carry: Int64 = halves >= 2 * denominator ? 1 : 0
            let fraction = anchorFraction + Double(remainder) / Double(denominator) - Double(carry)
            return (nearest, whole + carry, min(max(fraction, 0), 0x1.fffffffffffffp-1))
        }
    }

    /// Continues with the next segment at the instant at which this one ends.
    @_noLocks private mutating func leave() {
        if index == schedule.pointee.countInSegment {
            let (end, isMoved) = (endOfSegment, isShifted)
            if seek(bar: schedule.pointee.entryBar ?? 1), isMoved { rebase(to: end) }
            return
        }
        let isLast = index + 1 == schedule.pointee.planSegmentCount
        let following = isLast ? schedule.pointee.loopSegment : index + 1
        if following < 0 {
            count(to: segment.endTick)
            isFinished = true
            return
        }
        if isLast || isShifted {
            let end = endOfSegment
            enter(following)
            rebase(to: end)
        } else {
            enter(following)
        }
    }

    private var endOfSegment: FramePosition {
        @_noLocks get { segment.position(ofTick: segment.endTick, from: anchor, at: anchorTick) }
    }

    /// Moves to the first stroke of a segment, at the instant of the tables.
    @_noLocks internal mutating func enter(_ number: Int) {
        index = number
        segment = schedule.pointee.segments[number]
        cycle = segment.startCycle
        stroke = segment.startStroke
        tick = segment.startTick
        anchor = segment.anchor
        anchorHalves = segment.anchorHalves
        anchorFraction = anchor.fraction
        anchorTick = tick
        (carried, remainder) = (0, 0)
    }

    /// Moves to any stroke of the plan, at the instant of the tables.
    @_noLocks internal mutating func stand(on place: SchedulePlace) {
        enter(place.segment)
        cycle = place.cycle
        stroke = place.stroke
        count(to: cycle * segment.cycleTicks + schedule.pointee.strokes[segment.firstStroke + stroke].tick)
        isFinished = false
    }

    /// Moves the next stroke, and with it all that follow, to another instant.
    @_noLocks internal mutating func rebase(to instant: FramePosition) {
        anchorTick = tick
        (carried, remainder) = (0, 0)
        moveAnchor(to: instant)
    }

    /// Moves a tick, before the next stroke or its own, to an instant, and with it all that follow.
    @_noLocks internal mutating func place(tick other: Int64, at instant: Double) {
        anchorTick = other
        (carried, remainder) = (0, 0)
        moveAnchor(to: FramePosition(instant))
    }

    /// Moves the grid without a step on it.
    @_noLocks internal mutating func moveAnchor(to instant: FramePosition) {
        anchor = instant
        anchorHalves = instant.steps(of: 2 * segment.tickDenominator)
        anchorFraction = instant.fraction
        isShifted = true
    }

    /// Moves to a tick of the segment and updates the carry: one division.
    @_noLocks private mutating func count(to other: Int64) {
        tick = other
        if !segment.isSteady { return }
        let product = UInt128(UInt64(tick - anchorTick)) * UInt128(UInt64(segment.tickNumerator))
        let denominator = UInt128(segment.tickDenominator)
        (carried, remainder) = (Int64(product / denominator), UInt64(product % denominator))
    }
}
