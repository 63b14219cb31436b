internal import Realtime

/// The deviations of one string's partials, to go back to.
struct KeptDeviations: ~Copyable, Sendable {
    private let detuning = SampleBuffer<Double>(count: mostPartialsPerString)
    private let damping = SampleBuffer<Double>(count: mostPartialsPerString)

    init() {}

    @_noLocks func take(_ fit: borrowing StrumFit, _ string: Int) {
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            detuning.unsafeElements[j] = fit.detuning.unsafeElements[p]
            damping.unsafeElements[j] = fit.damping.unsafeElements[p]
        }
    }

    @_noLocks func restore(_ fit: borrowing StrumFit, _ string: Int) {
        for j in 0..<fit.layout.count(string) {
            let p = fit.layout.partial(string, j)
            fit.detuning.unsafeElements[p] = detuning.unsafeElements[j]
            fit.damping.unsafeElements[p] = damping.unsafeElements[j]
        }
    }
}
