internal import Realtime

extension StrumFit {
    /// The repetition rate of a string's waveform in hertz: where the autocorrelation of its partials peaks.
    @_noLocks func periodicity(_ string: Int) -> Double {
        var (sum, weights) = (0.0, 0.0)
        for j in 0..<layout.count(string) {
            let p = layout.partial(string, j)
            let k = layout.number(p)
            let weight = k * k * amplitudes.unsafeElements[p].power
            sum += weight * frequency(p) / k
            weights += weight
        }
        return weights > 0 ? sum / weights : fundamentals.unsafeElements[string]
    }
}
