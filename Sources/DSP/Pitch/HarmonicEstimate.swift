/// What one step of a harmonic fit found.
struct HarmonicEstimate: BitwiseCopyable {
    /// The fundamental w in radians per sample and the inharmonicity B.
    var fundamental = 0.0
    var inharmonicity = 0.0
    /// w and its variance if B stays where the model was linearized.
    var constrained = 0.0
    var constrainedVariance = 0.0
    /// The variance of `constrained` that the scatter of the partials shows beyond that of white noise.
    var scatter = 0.0
    /// Variances and covariance of w and B: the Cramér-Rao bound at the noise found.
    var fundamentalVariance = 0.0
    var inharmonicityVariance = 0.0
    var covariance = 0.0
    /// The square of the number of standard errors by which the decays differ from none.
    var decayEvidence = 0.0
    /// The energy of the stretch without its offset, and what the model leaves of it.
    var energy = 0.0
    var residual = 0.0
    /// What it leaves once its amplitudes may grow or decay.
    var rest = 0.0
    /// The partials found.
    var tone = FittedTone()

    @_noLocks init() {}

    /// The share of the energy that the model explains.
    var explained: Double { @_noLocks get { energy > 0 ? 1 - residual / energy : 0 } }
    /// The share that it explains once its amplitudes may grow or decay.
    var explainedByDecay: Double { @_noLocks get { energy > 0 ? 1 - rest / energy : 0 } }
}

extension HarmonicEstimate {
    /// A step from `w` to `next`, of 2 % at most: a longer one has left the peak that it started on.
    @inline(__always) @_noLocks static func step(from w: Double, to next: Double) -> Double {
        min(1.02 * w, max(0.98 * w, next))
    }
}

/// What is known of a stiff string's inharmonicity before a stretch is looked at.
struct InharmonicityPrior: BitwiseCopyable {
    var value: Double
    var variance: Double
    @_noLocks init(value: Double, variance: Double) { (self.value, self.variance) = (value, variance) }

    /// Any string: 1e-4 ± 1e-3.
    @_noLocks static func broad() -> InharmonicityPrior { InharmonicityPrior(value: 1e-4, variance: 1e-6) }
}
