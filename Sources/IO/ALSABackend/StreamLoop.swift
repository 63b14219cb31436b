internal import AudioIO
internal import Platform

/// What the thread of a stream does, in either direction: it transfers whole periods, recovers the device from errors, and
/// opens it again after a loss.
internal protocol StreamLoop: ThreadWork, ~Copyable {
    static var direction: StreamDirection { get }
    var supervisor: StreamSupervisor { get set }
    /// The handle to begin with.
    var first: PCM? { get set }
    /// What is asked of the device when it is opened again.
    var request: StreamRequest { get }

    /// Begins to use a handle; returns why that fails.
    mutating func begin(on pcm: borrowing PCM) -> LossReason?
    /// Transfers the whole periods that the device is ready for.
    mutating func transfer(_ pcm: borrowing PCM) -> StreamTrouble?
    /// Goes on after an xrun or a suspend: frames are missing. Returns why the handle has to be given up.
    mutating func resume() -> LossReason?
    /// Called ten times a second while the device is away.
    mutating func passTime()
    /// Whether the stream can go on with a device of this format.
    func accepts(_ format: StreamFormat) -> Bool
}

extension StreamLoop where Self: ~Copyable {
    internal mutating func passTime() {}
    internal func accepts(_ format: StreamFormat) -> Bool { true }

    /// Runs until told to stop, or the device is lost for good.
    internal mutating func run(at priority: WorkerThread.Priority) {
        supervisor.enterThread(at: priority)
        var loss: LossReason?
        if let pcm = first.take() { loss = operate(pcm) }
        while let reason = loss {
            // The device is there and only gets larger sizes: no back-off, and no message for the user.
            if reason == .tooSmall, let pcm = try? PCM(request, Self.direction) {
                loss = operate(pcm)
                continue
            }
            guard request.whenLost == .reopen else { break }
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
        if let reason = begin(on: pcm) { return reason }
        while !supervisor.control.isStopped {
            guard let trouble = transfer(pcm) ?? supervisor.wait(for: pcm) else { continue }
            switch supervisor.recover(pcm, from: trouble) {
            case .carryOn: break
            case .restarted: if let reason = resume() { return reason }
            case .lost(let reason): return reason
            }
        }
        return nil
    }

    /// Waits until the device can be opened again; `nil` when told to stop.
    private mutating func waitForDevice() -> PCM? {
        while !supervisor.control.isStopped {
            let isTime = supervisor.isTimeToReopen()
            passTime()
            guard isTime else { continue }
            if let pcm = try? PCM(request, Self.direction), accepts(pcm.format) { return pcm }
            supervisor.extendBackOff()
        }
        return nil
    }
}
