internal import CRealtime
internal import Realtime

/// The normal equations of the laws of all strings, three numbers each and the common slope of the decays, once the
/// deviations of partials are eliminated.
struct LawEquations: ~Copyable, Sendable {
    private let stringCount: Int
    private let matrix: SymmetricFactor
    /// P M, then L⁻¹ P M: a row for each direction of the laws.
    private let mixed: SampleBuffer<Double>
    /// The right side; then the solution.
    let right: SampleBuffer<Double>
    private let scratch: SampleBuffer<Double>

    init(partialCount: Int, stringCount: Int) {
        self.stringCount = stringCount
        matrix = SymmetricFactor(capacity: 3 * stringCount + 1)
        mixed = SampleBuffer(count: (3 * stringCount + 1) * 2 * partialCount)
        right = SampleBuffer(count: 3 * stringCount + 1)
        scratch = SampleBuffer(count: 3 * stringCount + 1)
    }

    /// Takes in what the data tell, and the prior.
    @_noLocks func fill(_ fit: borrowing StrumFit, _ deviations: borrowing DeviationEquations, prior: StrumPrior) {
        let (n, lawCount) = (fit.layout.count, 3 * stringCount + 1)
        let size = 2 * n
        guard let p = deviations.precision.unsafeElements.baseAddress, let y = mixed.unsafeElements.baseAddress,
            let x = deviations.right.unsafeElements.baseAddress, let z = right.unsafeElements.baseAddress
        else { return }
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
            for k in 2 * fit.equations.gram.starts.unsafeElements[i]..<2 * fit.equations.lasts.unsafeElements[i] + 2 {
                first[k] += row[k]
                second[k] += stiffness * row[k]
                third[k] += decayRow[k]
                last[k] += slope * decayRow[k]
            }
        }
        for a in 0..<lawCount {
            z[a] = 0
            for b in 0...a { matrix.row(a)[b] = 0 }
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
                if b <= 3 * string { matrix.row(3 * string)[b] += column[0] }
                if b <= 3 * string + 1 { matrix.row(3 * string + 1)[b] += stiffness * column[0] }
                if b <= 3 * string + 2 { matrix.row(3 * string + 2)[b] += column[1] }
                matrix.row(3 * stringCount)[b] += slope * column[1]
            }
        }
        addPrior(fit, prior)
    }

    @_noLocks private func addPrior(_ fit: borrowing StrumFit, _ prior: StrumPrior) {
        let z = right.unsafeElements
        for s in 0..<stringCount {
            let law = fit.laws.unsafeElements[s]
            let (c, b, d) = (3 * s, 3 * s + 1, 3 * s + 2)
            matrix.row(c)[c] += 1 / (prior.cents * prior.cents)
            z[c] -= law.cents / (prior.cents * prior.cents)
            let stiffness = prior.inharmonicityScatter * 1e4
            matrix.row(b)[b] += 1 / (stiffness * stiffness)
            z[b] -= (law.inharmonicity - prior.inharmonicity) * 1e4 / (stiffness * stiffness)
            matrix.row(d)[d] += 1 / (prior.logDecayScatter * prior.logDecayScatter)
            z[d] -= (law.logDecay - prior.logDecay) / (prior.logDecayScatter * prior.logDecayScatter)
        }
        for s in 0..<stringCount {
            matrix.floors.unsafeElements[3 * s] = 1 / (prior.cents * prior.cents)
            matrix.floors.unsafeElements[3 * s + 1] = 1e-8 / (prior.inharmonicityScatter * prior.inharmonicityScatter)
            matrix.floors.unsafeElements[3 * s + 2] = 1 / (prior.logDecayScatter * prior.logDecayScatter)
        }
        let end = 3 * stringCount
        matrix.floors.unsafeElements[end] = 1 / (prior.decaySlopeScatter * prior.decaySlopeScatter)
        matrix.row(end)[end] += 1 / (prior.decaySlopeScatter * prior.decaySlopeScatter)
        z[end] -= (fit.decaySlope - prior.decaySlope) / (prior.decaySlopeScatter * prior.decaySlopeScatter)
    }

    /// Eliminates the deviations, whose matrix is factorized, and solves for both.
    @_noLocks func solve(_ deviations: borrowing DeviationEquations, partialCount: Int) {
        let (size, lawCount) = (2 * partialCount, 3 * stringCount + 1)
        guard let y = mixed.unsafeElements.baseAddress, let x = deviations.right.unsafeElements.baseAddress,
            let z = right.unsafeElements.baseAddress
        else { return }
        deviations.matrix.substitute(x, size: size)
        for a in 0..<lawCount { deviations.matrix.substitute(y + a * size, size: size) }
        for a in 0..<lawCount {
            z[a] -= dotProduct(y + a * size, x, size)
            for b in 0...a { matrix.row(a)[b] -= dotProduct(y + a * size, y + b * size, size) }
        }
        matrix.factorize(size: lawCount, least: 1e-9, isFixing: false)
        matrix.substitute(z, size: lawCount)
        matrix.substituteBack(z, size: lawCount)
        for a in 0..<lawCount {
            let (value, column) = (z[a], y + a * size)
            for k in 0..<size { x[k] -= value * column[k] }
        }
        deviations.matrix.substituteBack(x, size: size)
    }

    /// The standard error of a string's first partial in cents, by the covariance of the last step.
    @_noLocks func standardError(_ string: Int) -> Double {
        let lawCount = 3 * stringCount + 1
        guard let z = scratch.unsafeElements.baseAddress else { return 0 }
        for a in 0..<lawCount { z[a] = a == 3 * string ? 1 : 0 }
        matrix.substitute(z, size: lawCount, from: 3 * string)
        return rt_sqrt(dotProduct(z, z, lawCount))
    }
}

/// Cents per 1e-4 of B at partial k: 600 / ln 2 · (k² / (1 + B k²) - 1 / (1 + B)) · 1e-4.
@_noLocks private func stiffnessSlope(_ law: StringLaw, _ k: Double) -> Double {
    let b = law.inharmonicity
    return 0.5 / centsToLog * 1e-4 * (k * k / (1 + b * k * k) - 1 / (1 + b))
}

/// ln 2 / 1200: the logarithm of one cent.
var centsToLog: Double { @_noLocks get { 0.000_577_622_650_466_621_1 } }
