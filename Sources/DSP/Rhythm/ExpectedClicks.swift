internal import Realtime

/// Clicks that were announced and have not begun, in order of time.
internal struct ExpectedClicks: ~Copyable, Sendable {
    private let clicks: SampleBuffer<ExpectedClick>
    private var count = 0

    init(capacity: Int) { clicks = SampleBuffer(count: capacity, repeating: ExpectedClick()) }

    /// Adds a click; whether there was room.
    @_noLocks mutating func add(_ sound: Int, at frame: Int64, fraction: Double) -> Bool {
        guard count < clicks.count else { return false }
        var place = count
        while place > 0 && clicks.unsafeElements[place - 1].frame > frame {
            clicks.unsafeElements[place] = clicks.unsafeElements[place - 1]
            place -= 1
        }
        var click = ExpectedClick()
        (click.sound, click.frame, click.fraction) = (sound, frame, fraction)
        clicks.unsafeElements[place] = click
        count += 1
        return true
    }

    /// When the first one arrives.
    var nextFrame: Int64? { @_noLocks get { count > 0 ? clicks.unsafeElements[0].frame : nil } }

    /// Removes and returns the first click if it arrives at `frame` or before.
    @_noLocks mutating func next(until frame: Int64) -> ExpectedClick? {
        guard count > 0, clicks.unsafeElements[0].frame <= frame else { return nil }
        let click = clicks.unsafeElements[0]
        count -= 1
        for n in 0..<count { clicks.unsafeElements[n] = clicks.unsafeElements[n + 1] }
        return click
    }

    @_noLocks mutating func removeAll() { count = 0 }
}
