internal import Music

/// The clicks of a round trip without those around a break: an xrun or a jump of one of the streams.
///
/// After a break both streams need a second to settle, as at their start. A break is noticed some time after it happened, so a
/// click waits for a second, too.
package struct ClicksClearOfBreaks: Sendable {
    /// A click that was heard: what `RoundTrip.add` takes.
    package struct Click: Sendable, Equatable {
        package let hidden: Duration, whole: Duration
        package let gain: Double

        package init(hidden: Duration, whole: Duration, gain: Double) {
            (self.hidden, self.whole, self.gain) = (hidden, whole, gain)
        }
    }

    /// How many clicks were left out.
    package private(set) var dropped = 0
    private var waiting: [(time: Duration, click: Click)] = []
    private var lastBreak: Duration?

    private static let margin = Duration.seconds(1)

    package init() {}

    /// Adds a click that was heard at this time. Times rise.
    package mutating func add(_ click: Click, at time: Duration) {
        guard lastBreak.map({ time - $0 >= Self.margin }) ?? true else {
            dropped += 1
            return
        }
        waiting.append((time, click))
    }

    /// Tells that a break was noticed at this time.
    package mutating func noticeBreak(at time: Duration) {
        lastBreak = time
        let before = waiting.count
        waiting.removeAll { time - $0.time <= Self.margin }
        dropped += before - waiting.count
    }

    /// Takes the clicks that no later break can concern.
    ///
    /// - Parameter time: now; `nil` at the end, for all clicks.
    package mutating func take(at time: Duration?) -> [Click] {
        let clear = waiting.prefix { click in time.map { $0 - click.time > Self.margin } ?? true }
        waiting.removeFirst(clear.count)
        return clear.map(\.click)
    }
}
