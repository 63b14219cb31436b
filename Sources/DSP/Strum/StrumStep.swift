internal import CRealtime
internal import Realtime

/// One Gauss-Newton step of all laws and deviations.
///
/// The deviations are eliminated first, then the laws are solved for; what is left is their covariance.
struct StrumStep: ~Copyable, Sendable {
    let deviations: DeviationEquations
    private let laws: LawEquations
    let scratch: SampleBuffer<Double>
    /// The state before the last step.
    private let saved: SampleBuffer<Double>, savedLaws: SampleBuffer<StringLaw>
    private var savedSlope = 0.0
    /// How many partials the strings have in the tuning that they are in.
    var partialCount: Int
    private let stringCount: Int
    /// The standard deviation of what a partial is off its law, in cents; of the logarithm of its decay rate.
    var detuningScatter = 0.02
    var dampingScatter = 0.1

    init(partialCount: Int, stringCount: Int) {
        (self.partialCount, self.stringCount) = (partialCount, stringCount)
        deviations = DeviationEquations(partialCount: partialCount)
        laws = LawEquations(partialCount: partialCount, stringCount: stringCount)
        scratch = SampleBuffer(count: 2 * partialCount)
        saved = SampleBuffer(count: 2 * partialCount)
        savedLaws = SampleBuffer(
            count: stringCount, repeating: StringLaw(cents: 0, inharmonicity: 0, logDecay: 0))
    }

    /// Moves the fit by one step, and returns the largest change of a string in cents.
    @_noLocks mutating func move(_ fit: inout StrumFit, prior: StrumPrior) -> Double {
        deviations.fill(fit)
        laws.fill(fit, deviations, prior: prior)
        deviations.factorize(fit, detuningScatter: detuningScatter, dampingScatter: dampingScatter)
        laws.solve(deviations, partialCount: partialCount)
        save(fit)
        return apply(1, to: &fit)
    }

    /// Remembers where a step begins.
    @_noLocks mutating func save(_ fit: borrowing StrumFit) {
        for s in 0..<stringCount { savedLaws.unsafeElements[s] = fit.laws.unsafeElements[s] }
        for i in 0..<partialCount {
            saved.unsafeElements[i] = fit.detuning.unsafeElements[i]
            saved.unsafeElements[partialCount + i] = fit.damping.unsafeElements[i]
        }
        savedSlope = fit.decaySlope
    }

    /// Goes back to where the last step began, and a part of the way from there.
    @_noLocks mutating func shorten(_ fit: inout StrumFit, to part: Double) {
        for s in 0..<stringCount { fit.laws.unsafeElements[s] = savedLaws.unsafeElements[s] }
        for i in 0..<partialCount {
            fit.detuning.unsafeElements[i] = saved.unsafeElements[i]
            fit.damping.unsafeElements[i] = saved.unsafeElements[partialCount + i]
        }
        fit.decaySlope = savedSlope
        _ = apply(part, to: &fit)
    }

    @_noLocks private func apply(_ part: Double, to fit: inout StrumFit) -> Double {
        let (z, x) = (laws.right.unsafeElements, deviations.right.unsafeElements)
        for a in 0..<z.count where !z[a].isFinite { z[a] = 0 }
        for i in 0..<x.count where !x[i].isFinite { x[i] = 0 }
        var largest = 0.0
        for s in 0..<stringCount where fit.isActive.unsafeElements[s] {
            var law = fit.laws.unsafeElements[s]
            let change = clamped(part * z[3 * s], 12)
            largest = max(largest, abs(change))
            law.cents = clamped(law.cents + change, 75)
            law.inharmonicity = max(0, min(1e-3, law.inharmonicity + clamped(part * z[3 * s + 1], 0.5) * 1e-4))
            law.logDecay = max(-2, min(3.2, law.logDecay + clamped(part * z[3 * s + 2], 0.7)))
            fit.laws.unsafeElements[s] = law
        }
        fit.decaySlope = max(0, min(0.6, fit.decaySlope + clamped(part * z[3 * stringCount], 0.1)))
        for i in 0..<partialCount where fit.isActive.unsafeElements[fit.layout.string(i)] {
            // Beyond half a bin the curvature tells nothing of the line.
            let most = min(4, 0.5 * .pi / (centsToLog * fit.lines.poles.unsafeElements[i].im))
            fit.detuning.unsafeElements[i] = clamped(
                fit.detuning.unsafeElements[i] + clamped(part * x[2 * i], most), 15)
            fit.damping.unsafeElements[i] =
                clamped(fit.damping.unsafeElements[i] + clamped(part * x[2 * i + 1], 0.7), 2)
        }
        return largest
    }

    /// The standard error of a string's first partial in cents, by the covariance of the last step.
    @_noLocks func standardError(_ string: Int) -> Double { laws.standardError(string) }
}

@_noLocks private func clamped(_ value: Double, _ limit: Double) -> Double { max(-limit, min(limit, value)) }
