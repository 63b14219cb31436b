package import Platform

/// Where a metronome is: what another run needs to go on with it.
package struct PlayRun: Sendable, Equatable {
    package var isRunning: Bool
    /// The bar in playing order, from 1, and the moment at which it began.
    package var bar: Int64
    package var began: MonotonicTime
    /// How long the bar takes, in seconds.
    package var length: Double
    /// The entry of the set list, from 0.
    package var entry: Int
    /// The tempo as a fraction of that of the plan.
    package var tempoNumerator: Int64, tempoDenominator: Int64

    package init(isRunning: Bool, bar: Int64, began: MonotonicTime, length: Double) {
        (self.isRunning, self.bar, self.began, self.length) = (isRunning, bar, began, length)
        (entry, tempoNumerator, tempoDenominator) = (0, 1, 1)
    }

    /// The same run as it would be now: as many bars later as would have been played since.
    package func continued(until now: MonotonicTime) -> PlayRun {
        var later = self
        guard isRunning, length > 0 else { return later }
        let bars = min(max(0, (now - began) / .seconds(1) / length).rounded(.down), 1e9)
        later.bar += Int64(bars)
        later.began = began + .seconds(bars * length)
        return later
    }
}
