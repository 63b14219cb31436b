import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct FitDirectionsTests {
    @Test func `H and the gradient are the products of plain columns, whichever unknowns are free`() {
        let seed: UInt64 = 85
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<120 {
            let given = FitCase(partials: 1...7, using: &generator)
            let count = given.partials
            var gram = HarmonicGram()
            gram.tune(fundamental: given.plain.fundamental, inharmonicity: given.plain.inharmonicity, partials: count)
            gram.build(length: given.length)
            // Amplitudes, weights and rests are given by chance: nothing here has to be a solution.
            let rows: [[Double]] = (0..<5).map { _ in
                [0.0] + (1...count).map { _ in Double.random(in: -1...1, using: &generator) }
            }
            let buffers = SampleBuffer<Double>(count: 5 * HarmonicGram.stride)
            func row(_ n: Int) -> UnsafeMutablePointer<Double> { buffers.start + n * HarmonicGram.stride }
            for n in 0..<5 { for k in 0...count { row(n)[k] = rows[n][k] } }
            var directions = FitDirections()
            directions.setFrequency(
                FitDirections.fundamental, derivative: gram.perFundamental.start, cosine: row(0), sine: row(1),
                weight: row(2), partials: count)
            directions.setFrequency(
                FitDirections.inharmonicity, derivative: gram.perInharmonicity.start, cosine: row(0), sine: row(1),
                weight: row(2), partials: count)
            directions.setDecay(
                FitDirections.decay, byNumber: false, cosine: row(0), sine: row(1), weight: row(2), partials: count)
            directions.setDecay(
                FitDirections.decayByNumber, byNumber: true, cosine: row(0), sine: row(1), weight: row(2),
                partials: count)
            let amplitudes: [Double] = [0.0] + (1...count).flatMap { (k: Int) -> [Double] in [rows[0][k], rows[1][k]] }
            let moves = (0..<4).map { given.plain.derivative($0, amplitudes: amplitudes, weights: rows[2]) }
            let seen = moves.map { given.plain.rest(of: $0) }
            let unknowns = Int.random(in: 1...15, using: &generator)
            directions.measureCurvature(of: unknowns, gram)
            let scale = seen.map { product($0, $0).squareRoot() }
            for p in 0..<4 where unknowns & 1 << p != 0 {
                for q in 0..<4 where unknowns & 1 << q != 0 {
                    // Differences true to 1e-8; few partials leave a hundredth of the column, whose square it is.
                    let whole = (product(moves[p], moves[p]) * product(moves[q], moves[q])).squareRoot()
                    #expect(
                        abs(directions.curvature[p][q] - product(seen[p], seen[q])) < 1e-7 * whole + 1e-6 * scale[p]
                            * scale[q],
                        "seed \(seed), trial \(trial), \(p) \(q)")
                }
                // gᵀr where Σ m r sin and Σ m r cos are what rows 3 and 4 say.
                let b = given.plain.inharmonicity
                let expected = (1...count).reduce(0.0) { sum, k in
                    let stretch = (1 + b * Double(k * k)).squareRoot()
                    let slope = [
                        Double(k) * stretch, given.plain.fundamental * Double(k * k * k) / (2 * stretch), 1, Double(k),
                    ][p]
                    let (a, s, weight) = (rows[0][k], rows[1][k], slope * rows[2][k])
                    return p < 2
                        ? sum + weight * (s * rows[4][k] - a * rows[3][k])
                        : sum - weight * (a * rows[4][k] + s * rows[3][k])
                }
                let gradient = directions.gradient(p, evenRest: row(3), oddRest: row(4), partials: count)
                // Sums of seven terms.
                #expect(abs(gradient - expected) < 1e-12 * (1 + abs(expected) * 1_000))
            }
        }
    }
}
