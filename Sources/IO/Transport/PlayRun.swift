package import Platform

/// Where a metronome is: what another run needs to go on with it.
package struct PlayRun: Sendable, Equatable {
    package var isRunning: Bool
    /// The bar in playing order, from 1, and the moment at which it began; `nil` where none has begun yet.
    package var bar: Int64
    package var began: MonotonicTime?
    /// The entry of the set list, from 0.
    package var entry: Int
    /// The tempo as a fraction of that of the plan.
    package var tempoNumerator: Int64, tempoDenominator: Int64

    package init(isRunning: Bool, bar: Int64 = 1, began: MonotonicTime? = nil) {
        (self.isRunning, self.bar, self.began) = (isRunning, bar, began)
        (entry, tempoNumerator, tempoDenominator) = (0, 1, 1)
    }
}
