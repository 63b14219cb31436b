/// Clicks that were played, and heard again by a microphone or a loop-back.
package struct ReturnedClicks: Sendable {
    /// When the clicks were due, by the clock of the playback, ascending.
    package var due: [Duration] = []
    /// The clicks that were heard: the time by the clock of the capture, and the time that the relation of the two streams
    /// makes of it on the clock of the playback. The first is the more exact one, the second tells which click was meant.
    package var heard: [(exact: Duration, place: Duration)] = []

    package struct Findings: Sendable {
        package let timing: ClickTiming
        /// Clicks that were due and not heard, the first and the last ones included.
        package let lost: Int
        /// From the first click to the last.
        package let length: Duration
        /// How much later than due the clicks came by the clock of the playback.
        package let delay: Duration
    }

    package init() {}

    /// Compares the clicks that were heard with those due before `end`; `nil` when fewer than three fit.
    package func findings(until end: Duration) -> Findings? {
        guard let first = heard.first else { return nil }
        let due = due.filter { $0 < end }
        // Both in seconds of the playback, but for a constant.
        let shift = first.exact - first.place
        let intervals = zip(due.dropFirst(), due).map { $0 - $1 }
        let tolerance = (intervals.filter { $0 > .milliseconds(20) }.min() ?? .milliseconds(500)) * 0.45
        // A click that was still on its way at the end is neither lost nor extra.
        let last = self.due.first { $0 >= end }.map { $0 - tolerance } ?? (end + tolerance)
        let heard = heard.filter { $0.place < last }
        let places = heard.map(\.place)
        guard
            let timing = ClickTiming(
                heard: heard.map { $0.exact - shift }, due: due, tolerance: tolerance, places: places)
        else { return nil }
        return Findings(
            timing: timing, lost: max(0, due.count - timing.clicks),
            length: (heard.last?.exact ?? first.exact) - first.exact,
            delay: ClickTiming(heard: places, due: due, tolerance: tolerance)?.offset ?? .zero)
    }
}
