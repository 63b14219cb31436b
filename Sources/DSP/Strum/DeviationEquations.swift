internal import CRealtime
internal import Realtime

/// The normal equations of how far partials are off their laws: of the frequency, then of the decay, of one after the other.
struct DeviationEquations: ~Copyable, Sendable {
    /// With the prior of the deviations; then its factor.
    let matrix: SymmetricFactor
    /// What the data tell, without the prior: all of the matrix, row by row.
    let precision: SampleBuffer<Double>
    /// The right side; then the solution.
    let right: SampleBuffer<Double>
    private let scales: SampleBuffer<Double>

    /// For so many partials, at most.
    init(partialCount: Int) {
        matrix = SymmetricFactor(capacity: 2 * partialCount)
        precision = SampleBuffer(count: 4 * partialCount * partialCount)
        right = SampleBuffer(count: 2 * partialCount)
        scales = SampleBuffer(count: 2 * partialCount)
    }

    /// Takes in what the data tell: gradient and curvature over the noise.
    @_noLocks func fill(_ fit: borrowing StrumFit) {
        let n = fit.layout.count
        let size = 2 * n
        guard let p = precision.unsafeElements.baseAddress, let x = right.unsafeElements.baseAddress,
            let scale = scales.unsafeElements.baseAddress
        else { return }
        for i in 0..<n {
            let root = rt_sqrt(2 / fit.noise.unsafeElements[i])
            let pole = fit.lines.poles.unsafeElements[i]
            scale[2 * i] = pole.im * centsToLog * root
            scale[2 * i + 1] = -pole.re * root
            let g = fit.equations.gradient.unsafeElements[i]
            x[2 * i] = scale[2 * i] * g.im * root
            x[2 * i + 1] = -scale[2 * i + 1] * g.re * root
        }
        for i in 0..<n {
            let start = fit.equations.gram.starts.unsafeElements[i]
            matrix.starts.unsafeElements[2 * i] = 2 * start
            matrix.starts.unsafeElements[2 * i + 1] = 2 * start
            for j in start...i {
                let h = fit.equations.curvature.element(i, j)
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
    }

    /// Adds Student's t distribution of the deviations, and factorizes the matrix.
    @_noLocks func factorize(_ fit: borrowing StrumFit, detuningScatter: Double, dampingScatter: Double) {
        let size = 2 * fit.layout.count
        guard let p = precision.unsafeElements.baseAddress, let x = right.unsafeElements.baseAddress else { return }
        for i in 0..<size {
            let row = matrix.row(i)
            for j in matrix.starts.unsafeElements[i]...i { row[j] = p[i * size + j] }
            let (value, scatter) =
                i & 1 == 0
                ? (fit.detuning.unsafeElements[i / 2], detuningScatter)
                : (fit.damping.unsafeElements[i / 2], dampingScatter)
            // Student's t: a partial that a resonance pulls counts little.
            let weight = (freedom + 1) / (freedom * scatter * scatter + value * value)
            row[i] += weight
            matrix.floors.unsafeElements[i] = weight
            x[i] -= weight * value
        }
        matrix.factorize(size: size, least: 1e-12, isFixing: true)
    }
}

/// Degrees of freedom of the deviations' t distribution: 4, the usual compromise between outliers and efficiency.
var freedom: Double { @_noLocks get { 4.0 } }
