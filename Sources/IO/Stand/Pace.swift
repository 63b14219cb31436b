internal import NIOCore

/// Lets something be done at once, and again after a while at the earliest: what is asked for meanwhile is done once, after that.
/// Used on the event loop only.
final class Pace {
    typealias Work = (_ done: @escaping () -> Void) -> Void

    private let loop: any EventLoop
    private let step: TimeAmount
    private var isBusy = false
    private var next: Work?

    /// - Parameter step: from the end of one to the beginning of the next.
    init(_ loop: any EventLoop, _ step: TimeAmount) { (self.loop, self.step) = (loop, step) }

    /// Does something that calls `done` at its end, or the newest of what was asked for when the time has come.
    func run(_ work: @escaping Work) {
        guard !isBusy else { return next = work }
        isBusy = true
        work { [self] in
            loop.assumeIsolated().scheduleTask(in: step) { [self] in
                isBusy = false
                guard let work = next else { return }
                next = nil
                run(work)
            }
        }
    }
}
