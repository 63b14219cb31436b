internal import AudioIO
internal import CALSA
internal import Glibc
internal import Realtime

/// Keeps a stream alive and counts what happens, in either direction.
internal struct StreamSupervisor: ~Copyable {
    internal let control: StreamControl
    internal var statistics: StreamStatistics {
        get { report.statistics }
        set { report.statistics = newValue }
    }
    private var report: StreamReport
    private var reports: TripleBuffer<StreamReport>.Writer
    private var periodTime: Duration, bufferTime: Duration
    private var recoveries = 0
    /// The first and the newest of them.
    private var firstRecovery = MonotonicTime.now(), lastRecovery = MonotonicTime.now()
    /// Xruns; those without a transferred frame in between count as one.
    internal private(set) var separateXruns = 0
    private var suspendedSince: MonotonicTime?
    /// Time waited since the last transfer. A wait counts at most its timeout, in case the process was stopped meanwhile.
    private var idle: Duration = .zero
    private var idleWakeUps = 0
    internal var backOff = BackOff()
    private var framesPerSecond: Int
    private var freeRunner = FreeRunner()

    internal init(control: StreamControl, format: StreamFormat, reports: consuming TripleBuffer<StreamReport>.Writer) {
        self.control = control
        self.reports = reports
        (periodTime, bufferTime, framesPerSecond) = (.zero, .zero, format.framesPerSecond)
        report = StreamReport(framesPerSecond: format.framesPerSecond)
        adopt(format)
    }

    /// Adopts the format of a new handle.
    internal mutating func adopt(_ format: StreamFormat) {
        periodTime = .seconds(Double(format.periodFrames) / format.sampleRate.value)
        bufferTime = .seconds(Double(format.bufferFrames) / format.sampleRate.value)
        (framesPerSecond, freeRunner) = (format.framesPerSecond, FreeRunner())
        (recoveries, suspendedSince, idle, idleWakeUps) = (0, nil, .zero, 0)
    }

    internal mutating func enterThread(at priority: WorkerThread.Priority) {
        statistics.hasRealtimePriority = priority == .realTime
        statistics.hasPinnedMemory = WorkerThread.pinMemory()
    }

    internal mutating func publish(_ watch: PositionWatch) {
        (report.clock, report.rate) = (watch.clock, watch.rate)
        reports.publish(report)
    }

    /// Reports a change of state, and wakes the owner of the stream.
    internal mutating func change(to state: StreamState) {
        guard state != report.state else { return }
        report.state = state
        reports.publish(report)
        control.stateChange.ring()
    }

    /// Notes that frames were transferred.
    ///
    /// - Parameter proven: whether the device moved, and did not only fill an empty buffer.
    internal mutating func progress(frames: Int, proven: Bool) {
        statistics.transferredFrames += Int64(frames)
        (idle, idleWakeUps) = (.zero, 0)
        guard proven else { return }
        recoveries = 0
        // A device that opens need not move, as those of a server without a session manager.
        guard report.state == .lost else { return }
        statistics.reopenings += 1
        backOff = BackOff()
        change(to: .running)
    }

    /// Notes that the device is gone.
    internal mutating func lose(because reason: LossReason) {
        control.noteLoss(reason)
        if report.state == .lost { backOff.extend() } else { backOff = BackOff() }
        change(to: .lost)
    }

    /// Waits for up to a tenth of a second; returns whether it is time to try to open the device again.
    internal mutating func isTimeToReopen() -> Bool {
        pause(.milliseconds(100))
        return backOff.isOver
    }

    /// Notes that `moved` frames were transferred without a wait, up to `position`; true when that shows that the device has
    /// no clock.
    internal mutating func hasNoClock(moved: Int, position: Int64, bufferFrames: Int) -> Bool {
        guard freeRunner.observe(moved: moved, position: position, bufferFrames: bufferFrames) else { return false }
        statistics.isPacedBySystem = true
        return true
    }

    /// The frame at the converter by the system's clock; `nil` for a device with a clock.
    internal func freePosition(at time: MonotonicTime) -> Int64? {
        freeRunner.position(at: time, sampleRate: framesPerSecond)
    }

    /// Waits until the owner stops the stream, but no longer than `duration`.
    internal func pause(_ duration: Duration) {
        _ = control.wakeUp.wait(until: .now() + duration)
        control.wakeUp.clear()
    }

    /// Four periods but at least 250 ms, so that a late device is not polled all the time.
    private var timeout: Duration { max(periodTime * 4, .milliseconds(250)) }

    /// Waits until there is something to do; for a period, if the device has no clock. Returns the trouble that ended the
    /// wait, if any.
    internal mutating func wait(for pcm: borrowing PCM) -> StreamTrouble? {
        // A descriptor may stay ready although no period can be transferred. Avoid a busy loop.
        if freeRunner.isFree || idleWakeUps > 2 {
            let length = max(periodTime, .milliseconds(1))
            pause(length)
            if freeRunner.isFree { return nil }
            idle += length
        }
        let start = MonotonicTime.now()
        let event = pcm.wait(or: control.wakeUp, for: timeout)
        idle += min(MonotonicTime.now() - start, timeout)
        switch event {
        case .error(let number): return .error(number)
        case .hungUp: return .hungUp
        case .failing: return .failing
        case .timedOut: return .silence(idle)
        case .woken: return nil
        case .ready, .nothing:
            idleWakeUps += 1
            return idle >= patience ? .silence(idle) : nil
        }
    }

    private var patience: Duration { max(RecoveryPolicy.silenceLimit, periodTime * 8) }

    /// Does what the policy says. A restart that fails is trouble as well; the policy limits their number.
    internal mutating func recover(_ pcm: borrowing PCM, from trouble: StreamTrouble) -> RecoveryOutcome {
        let now = MonotonicTime.now()
        let counted = RecoveryPolicy.counted(
            recoveries, ranFor: now - lastRecovery, buffer: bufferTime, failingFor: now - firstRecovery)
        let action = RecoveryPolicy.action(
            for: trouble, state: pcm.state, recoveries: counted,
            suspendedFor: suspendedSince.map { now - $0 } ?? .zero, patience: patience)
        switch action {
        case .pollAgain: return .carryOn
        case .giveUp(let reason): return .lost(reason)
        case .prepare:
            statistics.xruns += 1
            if recoveries == 0 { separateXruns += 1 }
            return restart(pcm)
        case .resume:
            if suspendedSince == nil {
                suspendedSince = now
                statistics.suspensions += 1
            }
            let error = snd_pcm_resume(pcm.handle)
            if error == -EAGAIN {
                _ = control.wakeUp.wait(until: now + .milliseconds(100))
                return .carryOn
            }
            // Some plug-ins report "resumed" and stay suspended; most cards report that they cannot resume.
            if error < 0 || pcm.state != .running { return restart(pcm) }
            suspendedSince = nil
            noteRecovery(at: now)
            return .restarted
        }
    }

    private mutating func noteRecovery(at time: MonotonicTime) {
        if recoveries == 0 { firstRecovery = time }
        lastRecovery = time
        recoveries += 1
    }

    private mutating func restart(_ pcm: borrowing PCM) -> RecoveryOutcome {
        noteRecovery(at: .now())
        suspendedSince = nil
        var error = snd_pcm_prepare(pcm.handle)
        if error == 0, pcm.direction == .capture { error = snd_pcm_start(pcm.handle) }
        return error == 0 ? .restarted : recover(pcm, from: .error(-error))
    }
}

internal enum RecoveryOutcome: Sendable, Hashable {
    case carryOn
    /// The stream was prepared again or resumed: frames are missing.
    case restarted
    case lost(LossReason)
}
