internal import CRealtime
internal import Realtime

/// One Gauss-Newton step of all laws and deviations.
///
/// The deviations are eliminated first, then the laws are solved for; what is left is their covariance.
struct StrumStep: ~Copyable, Sendable {
    /// Two deviations per partial; three numbers per string and the common slope.
    let deviations: SymmetricFactor
    private let laws: SymmetricFactor
    private let mixed: SampleBuffer<Double>, right: SampleBuffer<Double>, lawRight: SampleBuffer<Double>
    private let precision: SampleBuffer<Double>
    private let scales: SampleBuffer<Double>
    let scratch: SampleBuffer<Double>
    private let lawScratch: SampleBuffer<Double>
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
        deviations = SymmetricFactor(capacity: 2 * partialCount)
        laws = SymmetricFactor(capacity: 3 * stringCount + 1)
        mixed = SampleBuffer(count: (3 * stringCount + 1) * 2 * partialCount)
        precision = SampleBuffer(count: 4 * partialCount * partialCount)
        right = SampleBuffer(count: 2 * partialCount)
        lawRight = SampleBuffer(count: 3 * stringCount + 1)
        scales = SampleBuffer(count: 2 * partialCount)
        scratch = SampleBuffer(count: 2 * partialCount)
        lawScratch = SampleBuffer(count: 3 * stringCount + 1)
        saved = SampleBuffer(count: 2 * partialCount)
        savedLaws = SampleBuffer(
            count: stringCount, repeating: StringLaw(cents: 0, inharmonicity: 0, logDecay: 0))
    }

    /// Moves the fit by one step, and returns the largest change of a string in cents.
    @_noLocks mutating func move(_ fit: inout StrumFit, prior: StrumPrior) -> Double {
        let (n, lawCount) = (partialCount, 3 * stringCount + 1)
        let size = 2 * n
        guard let p = precision.unsafeElements.baseAddress, let y = mixed.unsafeElements.baseAddress,
            let x = right.unsafeElements.baseAddress, let z = lawRight.unsafeElements.baseAddress,
            let scale = scales.unsafeElements.baseAddress
        else { return 0 }
        for i in 0..<n {
            let root = rt_sqrt(2 / fit.noise.unsafeElements[i])
            let pole = fit.poles.unsafeElements[i]
            scale[2 * i] = pole.im * centsToLog * root
            scale[2 * i + 1] = -pole.re * root
            let g = fit.gradient.unsafeElements[i]
            x[2 * i] = scale[2 * i] * g.im * root
            x[2 * i + 1] = -scale[2 * i + 1] * g.re * root
        }
        for i in 0..<n {
            let start = fit.gram.starts.unsafeElements[i]
            deviations.starts.unsafeElements[2 * i] = 2 * start
            deviations.starts.unsafeElements[2 * i + 1] = 2 * start
            for j in start...i {
                let h = fit.curvature.element(i, j)
                let (a, b) = (scale[2 * i], scale[2 * j])
                let (c, d) = (scale[2 * i + 1], scale[2 * j + 1])
                // The frequency and the decay of one with those of the other; h[j, i] = h[i, j]*.
                let (row, decayRow) = (p + 2 * i * size + 2 * j, p + (2 * i + 1) * size + 2 * j)
                (row[0], row[1]) = (a * b * h.re, -d * a * h.im)
                (decayRow[0], decayRow[1]) = (c * b * h.im, c * d * h.re)
                let (other, otherDecay) = (p + 2 * j * size + 2 * i, p + (2 * j + 1) * size + 2 * i)
                (other[0], other[1]) = (row[0], decayRow[0])
                (otherDecay[0], otherDecay[1]) = (row[1], decayRow[1])
            }
        }
        // P M and Mᵀ P M, with the law's directions as sums over the partials of a string.
        for k in 0..<lawCount * size { y[k] = 0 }
        for i in 0..<n {
            let (string, number) = (fit.layout.string(i), fit.layout.number(i))
            let law = fit.laws.unsafeElements[string]
            let (row, decayRow) = (p + 2 * i * size, p + (2 * i + 1) * size)
            let stiffness = stiffnessSlope(law, number)
            let slope = (number - 1) / (1 + fit.decaySlope * (number - 1))
            let first = y + 3 * string * size
            let (second, third) = (first + size, first + 2 * size)
            let last = y + 3 * stringCount * size
            for k in 2 * fit.gram.starts.unsafeElements[i]..<2 * fit.lasts.unsafeElements[i] + 2 {
                first[k] += row[k]
                second[k] += stiffness * row[k]
                third[k] += decayRow[k]
                last[k] += slope * decayRow[k]
            }
        }
        for a in 0..<lawCount {
            z[a] = 0
            for b in 0...a { laws.row(a)[b] = 0 }
        }
        for i in 0..<n {
            let (string, number) = (fit.layout.string(i), fit.layout.number(i))
            let stiffness = stiffnessSlope(fit.laws.unsafeElements[string], number)
            let slope = (number - 1) / (1 + fit.decaySlope * (number - 1))
            z[3 * string] += x[2 * i]
            z[3 * string + 1] += stiffness * x[2 * i]
            z[3 * string + 2] += x[2 * i + 1]
            z[3 * stringCount] += slope * x[2 * i + 1]
            for b in 0..<lawCount {
                let column = y + b * size + 2 * i
                if b <= 3 * string { laws.row(3 * string)[b] += column[0] }
                if b <= 3 * string + 1 { laws.row(3 * string + 1)[b] += stiffness * column[0] }
                if b <= 3 * string + 2 { laws.row(3 * string + 2)[b] += column[1] }
                laws.row(3 * stringCount)[b] += slope * column[1]
            }
        }
        for s in 0..<stringCount {
            let law = fit.laws.unsafeElements[s]
            let (c, b, d) = (3 * s, 3 * s + 1, 3 * s + 2)
            laws.row(c)[c] += 1 / (prior.cents * prior.cents)
            z[c] -= law.cents / (prior.cents * prior.cents)
            let stiffness = prior.inharmonicityScatter * 1e4
            laws.row(b)[b] += 1 / (stiffness * stiffness)
            z[b] -= (law.inharmonicity - prior.inharmonicity) * 1e4 / (stiffness * stiffness)
            laws.row(d)[d] += 1 / (prior.logDecayScatter * prior.logDecayScatter)
            z[d] -= (law.logDecay - prior.logDecay) / (prior.logDecayScatter * prior.logDecayScatter)
        }
        for s in 0..<stringCount {
            laws.floors.unsafeElements[3 * s] = 1 / (prior.cents * prior.cents)
            laws.floors.unsafeElements[3 * s + 1] = 1e-8 / (prior.inharmonicityScatter * prior.inharmonicityScatter)
            laws.floors.unsafeElements[3 * s + 2] = 1 / (prior.logDecayScatter * prior.logDecayScatter)
        }
        let end = 3 * stringCount
        laws.floors.unsafeElements[end] = 1 / (prior.decaySlopeScatter * prior.decaySlopeScatter)
        laws.row(end)[end] += 1 / (prior.decaySlopeScatter * prior.decaySlopeScatter)
        z[end] -= (fit.decaySlope - prior.decaySlope) / (prior.decaySlopeScatter * prior.decaySlopeScatter)
        for i in 0..<size {
            let row = deviations.row(i)
            for j in deviations.starts.unsafeElements[i]...i { row[j] = p[i * size + j] }
            let (value, scatter) =
                i & 1 == 0
                ? (fit.detuning.unsafeElements[i / 2], detuningScatter)
                : (fit.damping.unsafeElements[i / 2], dampingScatter)
            // Student's t: a partial that a resonance pulls counts little.
            let weight = (freedom + 1) / (freedom * scatter * scatter + value * value)
            row[i] += weight
            deviations.floors.unsafeElements[i] = weight
            x[i] -= weight * value
        }
        deviations.factorize(size: size, least: 1e-12, isFixing: true)
        deviations.substitute(x, size: size)
        for a in 0..<lawCount { deviations.substitute(y + a * size, size: size) }
        for a in 0..<lawCount {
            z[a] -= dot(y + a * size, x, size)
            for b in 0...a { laws.row(a)[b] -= dot(y + a * size, y + b * size, size) }
        }
        laws.factorize(size: lawCount, least: 1e-9, isFixing: false)
        laws.substitute(z, size: lawCount)
        laws.substituteBack(z, size: lawCount)
        for a in 0..<lawCount {
            let (value, column) = (z[a], y + a * size)
            for k in 0..<size { x[k] -= value * column[k] }
        }
        deviations.substituteBack(x, size: size)
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
        let (z, x) = (lawRight.unsafeElements, right.unsafeElements)
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
            let most = min(4, 0.5 * .pi / (centsToLog * fit.poles.unsafeElements[i].im))
            fit.detuning.unsafeElements[i] = clamped(
                fit.detuning.unsafeElements[i] + clamped(part * x[2 * i], most), 15)
            fit.damping.unsafeElements[i] =
                clamped(fit.damping.unsafeElements[i] + clamped(part * x[2 * i + 1], 0.7), 2)
        }
        return largest
    }

    /// The standard error of a string's first partial in cents, by the covariance of the last step.
    @_noLocks func standardError(_ string: Int) -> Double {
        let lawCount = 3 * stringCount + 1
        guard let z = lawScratch.unsafeElements.baseAddress else { return 0 }
        for a in 0..<lawCount { z[a] = a == 3 * string ? 1 : 0 }
        laws.substitute(z, size: lawCount, from: 3 * string)
        return rt_sqrt(dot(z, z, lawCount))
    }
}

@_noLocks private func clamped(_ value: Double, _ limit: Double) -> Double { max(-limit, min(limit, value)) }

/// Cents per 1e-4 of B at partial k: 600 / ln 2 · (k² / (1 + B k²) - 1 / (1 + B)) · 1e-4.
@_noLocks private func stiffnessSlope(_ law: StringLaw, _ k: Double) -> Double {
    let b = law.inharmonicity
    return 0.5 / centsToLog * 1e-4 * (k * k / (1 + b * k * k) - 1 / (1 + b))
}

/// ln 2 / 1200: the logarithm of one cent.
var centsToLog: Double { @_noLocks get { 0.000_577_622_650_466_621_1 } }
/// Degrees of freedom of the deviations' t distribution: 4, the usual compromise between outliers and efficiency.
var freedom: Double { @_noLocks get { 4.0 } }
