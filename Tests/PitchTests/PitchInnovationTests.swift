import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct PitchInnovationTests {
    /// Frequencies of straight lines through white phase noise, one per hop of `hop` samples, on windows of `length`.
    private func fits(
        _ count: Int, hop: Int, length: Int, using generator: inout SeededGenerator
    ) -> [Double] {
        let noise = (0..<(count * hop + length)).map { _ in generator.normal() }
        let middle = Double(length - 1) / 2
        let square = (0..<length).reduce(0.0) { $0 + (Double($1) - middle) * (Double($1) - middle) }
        return (0..<count).map { n in
            (0..<length).reduce(0.0) { $0 + (Double($1) - middle) * noise[n * hop + $1] } / square
        }
    }

    @Test(arguments: [(16, 64), (32, 64), (64, 64), (8, 64)])
    func `Roughness is the variance of a fit, however far windows overlap`(hop: Int, length: Int) {
        var generator = SeededGenerator(seed: 201)
        let values = fits(20_000, hop: hop, length: length, using: &generator)
        // Of a line through N points of unit noise: 12 / (N (N² - 1)).
        let n = Double(length)
        let variance = 12 / (n * (n * n - 1))
        var (innovation, mean, count) = (PitchInnovation(memory: 200), 0.0, 0)
        for (index, value) in values.enumerated() {
            innovation.add(
                1 + 0.001 * value, bound: 1e-6 * variance, after: 1, window: Double(length) / Double(hop))
            guard index > 2_000 else { continue }
            mean += innovation.roughness
            count += 1
        }
        // 18,000 hops hold thousands of independent bends, which tell a variance to 3 %; the correlation of windows of 64
        // samples differs from that of infinitely many by a hundredth of the variance, an eighth of a bend's at most.
        #expect(abs(mean / Double(count) / (1e-6 * variance) - 1) < 0.15)
        #expect(innovation.wander < 0.2e-6 * variance, "white noise is what the bound expects")
    }

    @Test func `A long window's lag is made up for when it is sure, and never out of white noise`() {
        var generator = SeededGenerator(seed: 202)
        var (lagging, steady, corrected) = (PitchInnovation(memory: 0.15), PitchInnovation(memory: 0.15), 0)
        for index in 0..<4_000 {
            let noise = 1e-4 * generator.normal()
            lagging.add(difference: 5e-4 + noise, bound: 1e-8, after: 0.01067)
            steady.add(difference: noise, bound: 1e-8, after: 0.01067)
            if steady.lag != 0 { corrected += 1 }
            // The mean of some 28 differences, shrunk by a few hundredths.
            if index > 100 { #expect(abs(lagging.lag - 5e-4) < 2e-4) }
        }
        // Beyond four standard errors lies one in 16,000; the mean stays there for a few hops.
        #expect(corrected < 20)
        #expect(lagging.disagreement(weight: 3) > steady.disagreement(weight: 3))
        lagging.forgetDifference()
        #expect(lagging.lag == 0 && lagging.disagreement(weight: 3) == 0)
    }
}

@Suite struct MovingPitchTests {
    @Test func `A clean glide goes through as it is`() {
        var (innovation, pitch) = (PitchInnovation(memory: 0.15), MovingPitch(1))
        for n in 0..<60 {
            let value = 1 + 1e-4 * Double(n)
            innovation.add(value, bound: 0, after: 0.00533, window: 0.0213)
            pitch.add(value, innovation: innovation, after: 0.00533, window: 0.0213, turn: 0.0067)
            // A line has no bend but rounding: Λ is beyond 1e4 and α within 1e-8 of 1, once a window's motion is known.
            if n > 10 { #expect(abs(pitch.fundamental - value) < 1e-9) }
        }
    }

    @Test func `A leap of a semitone is another note and not filtered`() {
        var generator = SeededGenerator(seed: 203)
        var (innovation, pitch) = (PitchInnovation(memory: 0.15), MovingPitch(1))
        for _ in 0..<200 {
            let value = 1 + 1e-4 * generator.normal()
            innovation.add(value, bound: 0, after: 0.00533, window: 0.0213)
            pitch.add(value, innovation: innovation, after: 0.00533, window: 0.0213, turn: 0.0067)
        }
        #expect(pitch.fundamental != 1.06)
        innovation.add(1.06, bound: 0, after: 0.00533, window: 0.0213)
        pitch.add(1.06, innovation: innovation, after: 0.00533, window: 0.0213, turn: 0.0067)
        #expect(pitch.fundamental == 1.06)
    }
}
