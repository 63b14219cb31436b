internal import AudioIO

/// What a stream does with its device, by direction.
///
/// The supervisor is passed to each function: a property requirement would be read through an accessor that allocates.
internal protocol StreamLoop: ~Copyable {
    static var direction: StreamDirection { get }
    /// What is asked of the device when it is opened again.
    var request: StreamRequest { get }

    /// Begins to use a handle.
    mutating func begin(on pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble?
    /// Transfers the whole periods that the device is ready for.
    mutating func transfer(_ pcm: borrowing PCM, _ supervisor: inout StreamSupervisor) -> StreamTrouble?
    /// Goes on after an xrun or a suspend: frames are missing. Returns why the handle has to be given up.
    mutating func resume(_ supervisor: inout StreamSupervisor) -> LossReason?
    /// Called ten times a second while the device is away.
    mutating func passTime(_ supervisor: inout StreamSupervisor)
    /// Whether the stream can go on with a device of this format.
    func accepts(_ format: StreamFormat) -> Bool
}

/// The thread of a stream: transfers periods, recovers the device from errors, and opens it again after a loss.
internal struct StreamThread<Loop: StreamLoop & ~Copyable>: ThreadWork, ~Copyable {
    private var first: PCM?
    private var supervisor: StreamSupervisor
    private var loop: Loop

    internal init(_ pcm: consuming PCM, _ supervisor: consuming StreamSupervisor, _ loop: consuming Loop) {
        self.supervisor = supervisor
        self.loop = loop
        first = consume pcm
    }

    /// Runs until told to stop, or the device is lost for good.
    internal mutating func run(at priority: WorkerThread.Priority) {
        supervisor.enterThread(at: priority)
        var loss: LossReason?
        if let pcm = first.take() { loss = operate(pcm) }
        while let reason = loss {
            // The device is there and only gets larger sizes: no back-off, and no message for the user.
            if reason == .tooSmall, let pcm = try? PCM(loop.request, Loop.direction) {
                loss = operate(pcm)
                continue
            }
            guard loop.request.whenLost == .reopen else { break }
            supervisor.lose(because: reason)
            guard let pcm = waitForDevice() else {
                loss = nil
                break
            }
            loss = operate(pcm)
        }
        supervisor.control.finish(because: loss)
        supervisor.change(to: .ended)
    }

    /// Uses one handle; returns why that was lost, or `nil` when told to stop.
    private mutating func operate(_ pcm: borrowing PCM) -> LossReason? {
        supervisor.adopt(pcm.format)
        var outcome = recover(pcm, from: loop.begin(on: pcm, &supervisor))
        while !supervisor.control.isStopped {
            if case .lost(let reason) = outcome { return reason }
            outcome = recover(pcm, from: loop.transfer(pcm, &supervisor))
            if outcome == .carryOn { outcome = recover(pcm, from: supervisor.wait(for: pcm)) }
        }
        return nil
    }

    private mutating func recover(_ pcm: borrowing PCM, from trouble: StreamTrouble?) -> RecoveryOutcome {
        guard let trouble else { return .carryOn }
        let outcome = supervisor.recover(pcm, from: trouble)
        guard outcome == .restarted, let reason = loop.resume(&supervisor) else { return outcome }
        return .lost(reason)
    }

    /// Waits until the device can be opened again; `nil` when told to stop.
    private mutating func waitForDevice() -> PCM? {
        while !supervisor.control.isStopped {
            let isTime = supervisor.isTimeToReopen()
            loop.passTime(&supervisor)
            guard isTime else { continue }
            if let pcm = try? PCM(loop.request, Loop.direction), loop.accepts(pcm.format) { return pcm }
            supervisor.backOff.extend()
        }
        return nil
    }
}
