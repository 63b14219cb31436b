import TestSignals
import Testing

@testable import Rhythm

/// The sums that the onset detector spends its time in, beside sums in double precision, term by term.
@Suite struct SampleKernelsTests {
    private func random(_ count: Int, using generator: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
    }

    /// 600 terms of at most 1, each rounded to 24 bits, are off by less in sum.
    private let tolerance = 600.0 * 6e-8 * 8

    @Test func `Products at four lags are those of each lag alone`() {
        var generator = SeededGenerator(seed: 4_801)
        for _ in 0..<100 {
            let count = 8 * Int.random(in: 1...75, using: &generator)
            let (a, b) = (random(count, using: &generator), random(count + 3, using: &generator))
            let products = fourProducts(a, b, count)
            for lag in 0..<4 {
                let exact = (0..<count).reduce(0.0) { $0 + Double(a[$1]) * Double(b[$1 + lag]) }
                #expect(abs(Double(products[lag]) - exact) < tolerance, "lag \(lag) of \(count)")
            }
        }
    }

    @Test func `The power of a filtered sound is that of its samples, one by one`() {
        var generator = SeededGenerator(seed: 4_802)
        for _ in 0..<100 {
            let count = 16 * Int.random(in: 1...16, using: &generator)
            let taps = random(Int.random(in: 1...49, using: &generator), using: &generator)
            let sound = random(count + taps.count - 1, using: &generator)
            let exact = (0..<count).reduce(0.0) { power, n in
                let sample = taps.indices.reduce(0.0) { $0 + Double(sound[n + $1]) * Double(taps[$1]) }
                return power + sample * sample
            }
            let power = Double(filteredPower(sound, taps, taps.count, count))
            #expect(abs(power - exact) < tolerance * max(1, exact), "\(taps.count) taps, \(count) samples")
        }
    }
}
