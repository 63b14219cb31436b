internal import Realtime

/// Where a fit has its strings and partials, to go back to.
struct StrumSnapshot: ~Copyable, Sendable {
    private let laws: SampleBuffer<StringLaw>
    private let detuning: SampleBuffer<Double>, damping: SampleBuffer<Double>
    private let noise: SampleBuffer<Double>, penalty: SampleBuffer<Double>
    /// The common slope of the decays.
    private let slope = SampleBuffer<Double>(count: 1)

    init(partialCount: Int, stringCount: Int) {
        laws = SampleBuffer(count: stringCount, repeating: StringLaw(cents: 0, inharmonicity: 0, logDecay: 0))
        detuning = SampleBuffer(count: partialCount)
        damping = SampleBuffer(count: partialCount)
        noise = SampleBuffer(count: partialCount)
        penalty = SampleBuffer(count: partialCount)
    }

    @_noLocks func take(_ fit: borrowing StrumFit) {
        for s in 0..<laws.unsafeElements.count { laws.unsafeElements[s] = fit.laws.unsafeElements[s] }
        for p in 0..<detuning.unsafeElements.count {
            detuning.unsafeElements[p] = fit.detuning.unsafeElements[p]
            damping.unsafeElements[p] = fit.damping.unsafeElements[p]
            noise.unsafeElements[p] = fit.noise.unsafeElements[p]
            penalty.unsafeElements[p] = fit.penalty.unsafeElements[p]
        }
        slope.unsafeElements[0] = fit.decaySlope
    }

    /// Where a string lay, in cents from the tuning.
    @_noLocks func cents(_ string: Int) -> Double { laws.unsafeElements[string].cents }

    @_noLocks func restore(_ fit: inout StrumFit) {
        for s in 0..<laws.unsafeElements.count { fit.laws.unsafeElements[s] = laws.unsafeElements[s] }
        for p in 0..<detuning.unsafeElements.count {
            fit.detuning.unsafeElements[p] = detuning.unsafeElements[p]
            fit.damping.unsafeElements[p] = damping.unsafeElements[p]
            fit.noise.unsafeElements[p] = noise.unsafeElements[p]
            fit.penalty.unsafeElements[p] = penalty.unsafeElements[p]
        }
        fit.decaySlope = slope.unsafeElements[0]
    }
}
