internal import CRealtime
internal import Realtime

/// One step of the harmonic fit by itself, to measure its cost. Not part of the public interface.
@_spi(Measurement) public struct FitStep: ~Copyable {
    private var fit = HarmonicFit()
    private var energy = 0.0

    /// Prepares the fit of a tone with partials 1/k that lies `ratio` times above the model; it stays as it is.
    public init(fundamental w: Double, timesAsHigh ratio: Double, partials: Int, length: Int) {
        fit.gram.tune(fundamental: w, inharmonicity: 1e-4, partials: partials)
        fit.gram.build(length: length)
        for n in 0..<length {
            let m = Double(n) - Double(length - 1) / 2
            var y = 0.0
            for k in 1...partials {
                let number = Double(k)
                let omega = ratio * w * number * rt_sqrt(1 + 1e-4 * number * number)
                y += rt_cos(omega * m + number) / number
            }
            energy += y * y
            fit.add(y, at: m)
        }
    }

    /// Takes the step, with w, B and a decay unknown; returns the fundamental found, in radians per sample.
    @_noLocks public mutating func solve() -> Double {
        fit.solve(energy: energy, prior: .broad(), decays: 1).fundamental
    }
}

extension HarmonicFit {
    /// Adds a sample to the moments, `m` samples from the middle of the stretch.
    func add(_ y: Double, at m: Double) {
        for k in 0...gram.partialCount {
            let (c, s) = (rt_cos(gram.frequency.start[k] * m), rt_sin(gram.frequency.start[k] * m))
            cosineMoment.start[k] += y * c
            sineMoment.start[k] += y * s
            cosineSlopeMoment.start[k] += m * y * c
            sineSlopeMoment.start[k] += m * y * s
        }
    }
}
