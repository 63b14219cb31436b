internal import Realtime
internal import Synthesis
internal import Timebase

/// What the engine does with the commands of its control.
extension MetronomeEngine {
    /// Does what is asked at once, and keeps what waits for a beat.
    @_noLocks internal mutating func takeCommands() {
        while pendingCount < pending.count {
            guard let command = commands.pop() else { return }
            // A metronome that stands still has no next beat.
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

    /// Keeps what waits for a beat. It takes the place of a wish that it overrules: a key that is held down sends tempo after
    /// tempo, and what comes behind them shall not have to wait for room.
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
            if !command.isApart && !earlier.isApart { break }
        }
        pending[pendingCount] = command
        pendingCount += 1
    }

    /// Does what waits, now that there is no beat to wait for: a wish for the beat after a stop is none for the start that
    /// follows some time later.
    @_noLocks private mutating func settle() {
        let count = pendingCount
        pendingCount = 0
        for index in 0..<count { apply(pending[index], at: FramePosition(frame: present), isAtOnce: true) }
    }

    /// Does what waited for this beat, or for this bar. Returns whether there was any of it.
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
            _ = scheduler.restart(at: FramePosition(frame: begin))
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

    /// The first frame on which a moved grid may strike: not before the present, and not so soon after the last stroke
    /// that both are one (50 ms, or half of what the plan has between them, if that is less).
    private var earliestStroke: Int64 {
        @_noLocks get {
            let last = lastStroke
            if present - last > Int64(sampleRate) { return present }
            let planned = scheduler.isFinished ? Int64(sampleRate) : max(0, scheduler.nextFrame - last)
            return max(present, last + min(Int64(sampleRate / 20), planned / 2))
        }
    }
}
