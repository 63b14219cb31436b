internal import CRealtime
internal import Realtime

/// How likely each period is to follow another: exp(-steadiness · |change|), the change relative to the period.
internal struct PeriodChanges: ~Copyable, Sendable {
    private let count: Int
    /// How many periods may follow one, and for each of them its weight; the middle one is the same period.
    private let reach: Int
    private let weights: SampleBuffer<Float>

    /// exp(-7) and less is as good as nothing.
    private static let least = 7.0

    /// - Parameter periods: in frames.
    init(periods: ClosedRange<Int>, steadiness: Double) {
        let widest = Int(rt_ceil(Double(periods.upperBound) * Self.least / steadiness))
        (count, reach) = (periods.count, 2 * widest + 1)
        var table: [Float] = []
        for period in periods {
            let row = (-widest...widest).map { step -> Double in
                let nepers = steadiness * abs(Double(step)) / Double(period)
                return periods.contains(period + step) && nepers <= Self.least ? rt_exp(-nepers) : 0
            }
            let sum = row.reduce(0, +)
            table += row.map { Float($0 / sum) }
        }
        weights = SampleBuffer(copying: table)
    }

    /// Adds to each period what the others become.
    @_noLocks func spread(_ ended: UnsafeMutableBufferPointer<Float>, into begun: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<count {
            let mass = ended[index]
            // A course that is kept has some 1e-14; numbers near the smallest are slow.
            guard mass > 1e-30 else { continue }
            let first = index - reach / 2
            for n in max(0, -first)..<min(reach, count - first) {
                begun[first + n] += mass * weights.unsafeElements[index * reach + n]
            }
        }
    }
}
