internal import AudioIO
internal import Synchronization

/// What the owner and the thread of a stream tell each other.
internal final class StreamControl: Sendable {
    internal let wakeUp: WakeUp
    /// Rings when the state of the stream has changed.
    internal let stateChange: WakeUp
    /// Rings when captured samples have arrived, and at the end of the stream.
    internal let arrival: WakeUp
    private let stopped = Atomic<Bool>(false)
    private let over = Atomic<Bool>(false)
    private let lossCode = Atomic<Int>(0)

    internal init() throws(ResourceError) {
        wakeUp = try WakeUp()
        stateChange = try WakeUp()
        arrival = try WakeUp()
    }

    /// Whether the owner has stopped the stream.
    internal var isStopped: Bool { stopped.load(ordering: .acquiring) }

    internal func stop() {
        stopped.store(true, ordering: .releasing)
        wakeUp.ring()
    }

    /// Whether the stream's thread has finished with the device.
    internal var isOver: Bool { over.load(ordering: .acquiring) }

    /// Why the device was lost last; `nil` if it never was, or the owner ended the stream.
    internal var loss: LossReason? {
        let code = lossCode.load(ordering: .acquiring)
        return code == 0 ? nil : LossReason(code: code)
    }

    /// Notes that the device was lost and the stream waits for it.
    internal func noteLoss(_ loss: LossReason) { lossCode.store(loss.code, ordering: .releasing) }

    internal func finish(because loss: LossReason?) {
        lossCode.store(loss?.code ?? 0, ordering: .releasing)
        over.store(true, ordering: .releasing)
        stateChange.ring()
        arrival.ring()
    }
}
