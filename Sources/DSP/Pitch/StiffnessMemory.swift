internal import CRealtime

/// The inharmonicity B of a note, as measured since it began.
///
/// A string's B does not change while it sounds, but its upper partials, which show it, decay first. Every window's
/// estimate is weighted by its information, of which only the new share counts because windows overlap.
struct StiffnessMemory: BitwiseCopyable {
    /// 1 / variance of the mean, 0 when nothing is known.
    private var precision = 0.0
    private(set) var mean = 0.0

    @_noLocks init() {}

    var isEmpty: Bool { @_noLocks get { precision <= 0 } }
    /// By how many of its standard errors the mean differs from 0.
    var significance: Double { @_noLocks get { mean * rt_sqrt(precision) } }
    /// The mean as a prior of the next fit.
    var prior: InharmonicityPrior { @_noLocks get { InharmonicityPrior(value: mean, variance: 1 / precision) } }

    /// Takes in an estimate that rests on a window of which `share` is new, and on `prior` besides.
    @_noLocks mutating func add(_ estimate: HarmonicEstimate, after prior: InharmonicityPrior, share: Double) {
        let variance = estimate.inharmonicityVariance
        guard variance > 0 else { return }
        // What the window alone says: informations subtract as they add.
        let own = 1 / variance - 1 / prior.variance
        guard own > 0 else { return }
        let value = (estimate.inharmonicity / variance - prior.value / prior.variance) / own
        let news = own * min(1, share)
        mean = (mean * precision + value * news) / (precision + news)
        // A thousandth of B: by then the fit says more about the model than about the string.
        precision = min(precision + news, 1e6 / max(mean * mean, 1e-14))
    }
}
