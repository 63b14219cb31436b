internal import CRealtime
internal import Realtime
internal import Synthesis
internal import Timebase

/// What the engine does with the commands of its control.
extension MetronomeEngine {
    /// Obeys the commands that take effect at once, and keeps those that wait for a beat.
    @_noLocks internal mutating func takeCommands() {
        while pendingCount < pending.count {
            guard let command = commands.pop() else { return }
            // A stopped metronome has no next beat.
            var waits = isRunning && !hasToldEnd
            if case .atOnce = command.moment { waits = false }
            if waits {
                wait(command)
            } else {
                apply(command, at: FramePosition(frame: present), isAtOnce: true)
                if !isRunning { settle() }
            }
        }
    }

    /// Keeps a command that waits for a beat. It replaces an earlier one that it overrules: a key that is held down sends many
    /// tempi, and they must not fill the room for other commands.
    @_noLocks private mutating func wait(_ command: EngineCommand) {
        var index = pendingCount
        while index > 0 {
            index -= 1
            let earlier = pending[index]
            if command.overrules(earlier) {
                if let schedule = earlier.schedule { schedules.retire(schedule) }
                pending[index] = command
                return
            }
            if !command.isOrderIndependent && !earlier.isOrderIndependent { break }
        }
        pending[pendingCount] = command
        pendingCount += 1
    }

    /// Obeys the waiting commands after a stop, since there is no beat to wait for. They are not meant for the next start.
    @_noLocks private mutating func settle() {
        let count = pendingCount
        pendingCount = 0
        for index in 0..<count { apply(pending[index], at: FramePosition(frame: present), isAtOnce: true) }
    }

    /// Obeys the commands that waited for this beat or this bar. Returns whether there were any.
    @_noLocks internal mutating func applyPending(onBar: Bool) -> Bool {
        if pendingCount == 0 { return false }
        let count = pendingCount
        let beat = scheduler.position
        pendingCount = 0
        for index in 0..<count {
            let command = pending[index]
            var waits = false
            if case .nextBar = command.moment { waits = !onBar }
            if waits {
                pending[pendingCount] = command
                pendingCount += 1
            } else {
                apply(command, at: beat, isAtOnce: false)
            }
        }
        let hasApplied = pendingCount < count
        if !isRunning { settle() }
        return hasApplied
    }

    @_noLocks private mutating func apply(_ command: EngineCommand, at instant: FramePosition, isAtOnce: Bool) {
        hasFaded = false
        switch command.kind {
        case .start:
            if isRunning && !hasToldEnd { return }
            let begin = earliestStroke
            (isRunning, hasToldEnd, timeLimit) = (true, false, Int64.max)
            _ = scheduler.seek(bar: schedule.pointee.firstBar, at: FramePosition(frame: begin))
            if let limit = schedule.pointee.timeLimit { timeLimit = begin + limit }
            beat.beat = 0
        case .stop:
            (isRunning, beat.beat) = (false, 0)
            track.fade()
        case .mute: isMuted = command.value > 0
        case .volume: volume = command.value
        case .sound: track.choose(Int(command.number))
        case .nudge: scheduler.shift(by: command.amount, notBefore: earliestStroke)
        case .jump:
            let place = isAtOnce ? FramePosition(frame: earliestStroke) : instant
            if scheduler.seek(bar: command.number, at: place) { (hasToldEnd, beat.beat) = (false, 0) }
        case .steer: steer(command.steering)
        case .change:
            guard let ticket = command.schedule else { return }
            let other = schedules.pointer(to: ticket)
            if isAtOnce && isRunning && !hasToldEnd && beat.beat > 0 {
                closest = scheduler.change(to: other, at: present, in: &beat) / 32
            } else {
                scheduler.change(to: other)
            }
            schedules.retire(current)
            current = ticket
            makeHeadroom()
        }
    }

    /// Puts the next beat where a leader wants it, within what one interval may differ from the last one.
    @_noLocks private mutating func steer(_ steering: BeatSteering) {
        guard steering.period > 0, steering.frame.isFinite, steering.period.isFinite, steering.most > 0 else { return }
        guard isRunning && !hasToldEnd else {
            let begin = max(steering.frame, Double(earliestStroke))
            (isRunning, hasToldEnd, timeLimit, interval) = (true, false, Int64.max, 0)
            _ = scheduler.seek(bar: schedule.pointee.firstBar, at: FramePosition(frame: position))
            scheduler.steer(next: begin, period: steering.period)
            if let limit = schedule.pointee.timeLimit { timeLimit = Int64(begin) + limit }
            beat.beat = 0
            return
        }
        guard beat.beat > 0 else {
            return scheduler.steer(next: max(steering.frame, Double(present)), period: steering.period)
        }
        let last = Double(beat.floorFrame) + beat.fraction
        // A command that comes late is about the beat that was just struck.
        let beats = rt_round((steering.frame - last) / steering.period)
        var wanted = steering.frame - (beats - 1) * steering.period - last
        if interval > 0 {
            wanted = min(max(wanted, interval * (1 - steering.most)), interval * (1 + steering.most))
        }
        scheduler.steer(from: last, period: wanted, notBefore: present)
    }

    /// The first frame on which a moved grid may strike: not before the present, and at least 50 ms, or half of the planned
    /// interval if that is less, after the last stroke, so that the two are heard separately.
    private var earliestStroke: Int64 {
        @_noLocks get {
            // Of the beat and its parts.
            let last = lastStruck[0]
            if present - last > Int64(sampleRate) { return present }
            let planned = scheduler.isFinished ? Int64(sampleRate) : max(0, scheduler.nextFrame - last)
            return max(present, last + min(Int64(sampleRate / 20), planned / 2))
        }
    }
}
