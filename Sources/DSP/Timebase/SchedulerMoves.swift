/// Jumps, nudges and changes of plan.
extension BeatScheduler {
    /// Moves to the start: the first bar or the entry bar, or the count-in before it.
    @_noLocks internal mutating func begin() {
        let countIn = schedule.pointee.countInSegment
        if countIn >= 0 { return enter(countIn) }
        enter(0)
        if let bar = schedule.pointee.entryBar { _ = seek(bar: bar) }
    }

    /// Moves to a beat at the instant that it has in the whole plan.
    ///
    /// - Parameters:
    ///   - bar: its number in the schedule.
    ///   - beat: from 1; a beat that the bar does not have is the first of the next bar.
    /// - Returns: false, without any effect, if the plan does not have that bar.
    @_noLocks package mutating func seek(bar: Int64, beat: Int32 = 1) -> Bool {
        guard let place = schedule.pointee.place(bar: bar, beat: beat) else { return false }
        stand(on: place)
        isShifted = false
        return true
    }

    /// Moves back from the first beat of a bar to the first stroke at most `frames` before it. Not for the audio thread: it
    /// steps through the strokes between.
    ///
    /// - Returns: false, without any effect, if the plan starts here or a count-in precedes this bar.
    package mutating func rewind(by frames: Int64) -> Bool {
        let (here, target) = (next, nextFrame - frames)
        let first = schedule.pointee.firstBar
        guard !isFinished, !isShifted, index != schedule.pointee.countInSegment, here.bar > first else { return false }
        var distance: Int64 = 1
        var bar = here.bar
        repeat {
            bar = max(first, here.bar - distance)
            guard seek(bar: bar) else { break }
            distance *= 2
        } while bar > first && nextFrame > target
        while nextFrame < target { advance() }
        if nextFrame < here.frame { return true }
        _ = seek(bar: here.bar)
        return false
    }

    /// Moves to a beat, which then lies at `position` instead of the instant of the tables.
    @_noLocks package mutating func seek(bar: Int64, beat: Int32 = 1, at position: FramePosition) -> Bool {
        guard let place = schedule.pointee.place(bar: bar, beat: beat) else { return false }
        stand(on: place)
        rebase(to: position)
        return true
    }

    /// Changes to another schedule, whose beat of the same number then lies at the instant of the next stroke. After the end
    /// of a plan, the new one waits to be started.
    @_noLocks package mutating func change(to other: UnsafePointer<BeatSchedule>) {
        let (here, now) = (next, position)
        let entry = entryAfterCountIn
        schedule = other
        if isFinished { return }
        if entry == nil, seek(bar: here.bar, beat: here.beat, at: now) { return }
        if seek(bar: entry ?? other.pointee.firstBar, beat: 1, at: now) { return }
        if seek(bar: other.pointee.firstBar, beat: 1, at: now) { return }
        finish(at: now)
    }

    @_noLocks private mutating func finish(at instant: FramePosition) {
        rebase(to: instant)
        isFinished = true
    }

    /// Changes to another schedule within a beat and keeps the share of the beat that is left. Strokes before this place
    /// are not played again.
    ///
    /// - Parameters:
    ///   - present: the frame of the change.
    ///   - beat: the current beat, already played; becomes its equivalent in the new plan.
    /// - Returns: the length of the current beat in the new plan, in frames.
    @_noLocks package mutating func change(
        to other: UnsafePointer<BeatSchedule>, at present: Int64, in beat: inout BeatEvent
    ) -> Int64 {
        if isFinished || entryAfterCountIn != nil {
            change(to: other)
            return 0
        }
        let (left, struck) = share(of: beat, at: present)
        schedule = other
        if let place = other.pointee.place(bar: beat.bar, beat: beat.beat),
            other.pointee.beat(at: place) == beat.beat
        {
            stand(on: place)
            let length = beatFrames
            rebase(to: FramePosition(frame: present).adding(FramePosition((left - 1) * length)))
            (beat.floorFrame, beat.fraction) = (anchor.whole, anchor.fraction)
            let (entered, first) = (index, tick)
            // 10⁻⁹ of a beat: more than rounding, less than half a frame.
            let limit = (struck - 1e-9) * Double(segment.ticksPerBeat)
            repeat {
                advance()
            } while !isFinished && index == entered && !isOnBeat && Double(tick - first) < limit
            return Int64(length)
        }
        // The new bar is shorter: the next bar starts with the next beat.
        let now = FramePosition(frame: present)
        if seek(bar: beat.bar + 1, at: now) || seek(bar: other.pointee.firstBar, at: now) {
            let length = beatFrames
            rebase(to: now.adding(FramePosition(left * length)))
            let begin = now.adding(FramePosition((left - 1) * length))
            (beat.floorFrame, beat.fraction) = (begin.whole, begin.fraction)
            return Int64(length)
        }
        finish(at: now)
        return 0
    }

    /// The share of a beat that is left, and the share up to the next stroke.
    @_noLocks private func share(of beat: BeatEvent, at present: Int64) -> (left: Double, struck: Double) {
        let upcoming = next
        let begin = Double(beat.floorFrame - present) + beat.fraction
        var end = Double(upcoming.floorFrame - present) + upcoming.fraction
        var struck = 1.0
        if !upcoming.isBeat && !upcoming.isEnd {
            let ticks = segment.ticksPerBeat
            let first = tick / ticks * ticks
            let following = segment.position(ofTick: first + ticks, from: anchor, at: anchorTick)
            end = Double(following.whole - present) + following.fraction
            struck = Double(tick - first) / Double(ticks)
        }
        let left = end > begin ? min(max(end / (end - begin), 0), 1) : 0
        return (left, min(1 - left, struck))
    }

    /// The frames from the next beat to the one after it.
    private var beatFrames: Double {
        @_noLocks get {
            let end = segment.position(ofTick: tick + segment.ticksPerBeat, from: FramePosition(frame: 0), at: tick)
            return Double(end.whole) + end.fraction
        }
    }

    /// The entry bar, while its count-in plays.
    private var entryAfterCountIn: Int64? {
        @_noLocks get { index == schedule.pointee.countInSegment ? schedule.pointee.entryBar : nil }
    }

    /// Moves the grid from the next stroke on.
    ///
    /// - Parameters:
    ///   - amount: how much later; negative for earlier.
    ///   - present: the next stroke does not move before this frame.
    @_noLocks package mutating func shift(by amount: FramePosition, notBefore present: Int64) {
        if isFinished { return }
        // The anchor carries the closed form of a ramp with it.
        moveAnchor(to: anchor.adding(amount))
        let next = position
        if next.whole < present { moveAnchor(to: anchor.adding(FramePosition(frame: present - next.whole))) }
    }

    /// Puts the next stroke, a beat, at an instant, and lets each beat last so many frames.
    @_noLocks package mutating func steer(next: Double, period: Double) {
        lead(period: period)
        place(tick: tick, at: next)
    }

    /// Lets the beat that sounds last so many frames, and each one after it.
    ///
    /// - Parameters:
    ///   - beat: its instant.
    ///   - present: the next stroke does not move before this frame; the beat lasts longer then.
    @_noLocks package mutating func steer(from beat: Double, period: Double, notBefore present: Int64) {
        if isFinished { return }
        let ticks = segment.ticksPerBeat
        var first = tick / ticks * ticks
        if first == tick && isOnBeat { first -= ticks }
        let share = Double(tick - first) / Double(ticks)
        lead(period: share > 0 ? max(period, (Double(present) - beat) / share) : period)
        place(tick: first, at: beat)
    }

    /// From here on the tempo is not that of the tables.
    @_noLocks private mutating func lead(period: Double) {
        let tempo = 60 * segment.sampleRate / period
        segment.steadyTempo = 0
        segment.ramp = TempoRamp(from: tempo, to: tempo, over: 1, curve: .linearInBeats)
    }
}
