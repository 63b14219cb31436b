internal import CRealtime
internal import Realtime

/// Which periods of the beat are likely beforehand.
internal struct PeriodPrior: ~Copyable, Sendable {
    /// How likely a period is before anything is heard, with sum 1, and the weight of each at a beat.
    let prior: SampleBuffer<Float>
    let preference: SampleBuffer<Float>

    /// - Parameters:
    ///   - periods: in frames.
    ///   - beginning: those that a course may begin with; it may then leave them.
    ///   - preferred: the likeliest period in frames.
    init(
        periods all: ClosedRange<Int>, beginning: ClosedRange<Double>, preferred: Double, constants: TempoConstants
    ) {
        let weights = all.map { period in
            let octaves = rt_log2(Double(period) / preferred) / Double(constants.octaves)
            // One more for the density: each octave has twice as many periods as the one above.
            return beginning.contains(Double(period)) ? rt_exp(-octaves * octaves / 2) / Double(period) : 0
        }
        let sum = weights.reduce(0, +)
        prior = SampleBuffer(copying: weights.map { Float($0 / sum) })
        preference = SampleBuffer(
            copying: all.map { period in
                let octaves = rt_log2(Double(period) / preferred) / Double(constants.octaves)
                return Float(rt_exp(-octaves * octaves / 2 * Double(constants.persistence)))
            })
    }
}
