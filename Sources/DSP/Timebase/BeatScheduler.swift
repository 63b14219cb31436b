internal import Realtime

/// Walks a schedule stroke by stroke on the audio thread.
///
/// In a steady tempo each step is one addition with integer carry: no division, no floating point. A moving tempo is
/// evaluated by its closed form. A segment begins at the exact instant that its predecessor ends. Only after a live
/// change of the plan, when the grid has moved against the tables, does the start of a segment cost a division.
public struct BeatScheduler: ~Copyable, @unchecked Sendable {
    // The schedule is owned by whoever made this scheduler, and only read.
    private var schedule: UnsafePointer<BeatSchedule>
    private var index = 0
    private var segment = Segment()
    private var cycle: Int64 = 0
    private var stroke = 0
    private var tick: Int64 = 0
    /// The instant of `anchorTick`, and what has been carried since.
    private var anchor = FramePosition(frame: 0)
    private var anchorTick: Int64 = 0
    private var carried: Int64 = 0
    private var remainder: UInt64 = 0
    /// The grid lies elsewhere than the tables say: a jump, a nudge, a change of plan.
    private var isShifted = false
    /// No stroke is left.
    public private(set) var isFinished = false

    /// Stands on the first stroke of `schedule`, which has to outlive the scheduler.
    public init(_ schedule: UnsafePointer<BeatSchedule>) {
        self.schedule = schedule
        enter(0)
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

    /// Goes to a beat of the schedule without moving the grid: to the instant at which the whole plan has it.
    ///
    /// - Parameters:
    ///   - bar: as the schedule numbers them.
    ///   - beat: from 1; one that the bar does not have means the first of the next bar.
    /// - Returns: false, and nothing changes, if the plan does not have that bar.
    @_noLocks public mutating func seek(bar: Int64, beat: Int32 = 1) -> Bool {
        guard let place = schedule.pointee.place(bar: bar, beat: beat) else { return false }
        stand(on: place)
        anchor = segment.position(ofTick: tick, from: segment.anchor, at: segment.startTick)
        isShifted = false
        return true
    }

    /// Goes to a beat, which then lies at `position` instead of where the tables have it.
    @_noLocks public mutating func seek(bar: Int64, beat: Int32 = 1, at position: FramePosition) -> Bool {
        guard let place = schedule.pointee.place(bar: bar, beat: beat) else { return false }
        stand(on: place)
        anchor = position
        isShifted = true
        return true
    }

    /// Changes to another schedule: its beat of the same number lies at the instant of the next stroke. After the end of
    /// a plan the new one waits to be entered.
    @_noLocks public mutating func change(to other: UnsafePointer<BeatSchedule>) {
        let (here, now) = (next, position)
        schedule = other
        if isFinished { return }
        if seek(bar: here.bar, beat: here.beat, at: now) { return }
        if seek(bar: other.pointee.firstBar, beat: 1, at: now) { return }
        (anchor, isFinished) = (now, true)
    }

    /// Goes to the first bar, count-in included, which then lies at `position`.
    @_noLocks public mutating func restart(at position: FramePosition) -> Bool {
        seek(bar: schedule.pointee.firstBar, beat: 1, at: position)
    }

    /// Moves the grid from the next stroke on.
    ///
    /// - Parameters:
    ///   - amount: how much later; whole frames may be negative.
    ///   - present: the next stroke is not put before this frame.
    @_noLocks public mutating func shift(by amount: FramePosition, notBefore present: Int64) {
        if isFinished { return }
        // The anchor moves; in a ramp the closed form goes with it.
        let moved = anchor.adding(amount)
        let next = segment.position(ofTick: tick, from: moved, at: anchorTick)
        anchor = moved
        isShifted = true
        if next.whole < present { anchor = anchor.adding(FramePosition(frame: present - next.whole)) }
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
        if following == schedule.pointee.segments.count {
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
    @_noLocks private mutating func enter(_ number: Int) {
        index = number
        segment = schedule.pointee.segments[number]
        cycle = segment.startCycle
        stroke = segment.startStroke
        tick = segment.startTick
        anchor = segment.anchor
        anchorTick = tick
        (carried, remainder) = (0, 0)
    }

    @_noLocks private mutating func stand(on place: SchedulePlace) {
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
