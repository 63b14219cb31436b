import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct PitchInnovationTests {
    private func innovation(memory: Double) -> PitchInnovation {
        var constants = PitchConstants()
        constants.innovationMemory = memory
        return PitchInnovation(constants)
    }

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
        var (innovation, mean, count) = (innovation(memory: 200), 0.0, 0)
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
        var (lagging, steady, corrected) = (innovation(memory: 0.15), innovation(memory: 0.15), 0)
        var biased = 0
        for index in 0..<4_000 {
            let noise = 1e-4 * generator.normal()
            lagging.add(difference: 5e-4 + noise, bound: 1e-8, after: 0.01067, window: 0.0213)
            steady.add(difference: noise, bound: 1e-8, after: 0.01067, window: 0.0213)
            if steady.lag != 0 { corrected += 1 }
            // The mean of some 28 differences, shrunk by a few hundredths.
            if index > 100 { #expect(abs(lagging.lag - 5e-4) < 2e-4) }
            // What white noise adds to the square is a fifth of the bound at most, and is taken off.
            if index > 100 { #expect(lagging.bias > 1.5e-7 && lagging.bias < 4e-7) }
            if steady.bias > 0 { biased += 1 }
        }
        // Beyond four standard errors lies one in 16,000; the mean stays there for a few hops.
        #expect(corrected < 20)
        // 2.5 times the power that is expected: one case in nine of a normal variable's square. Overlapping windows, whose
        // noise the expectation is for, lose less of it than these.
        #expect(biased < 450)
        // The square of the offset, less what noise adds to it.
        #expect(abs(lagging.wobble / 25e-8 - 1) < 0.3)
        lagging.forgetDifference()
        #expect(lagging.lag == 0 && lagging.wobble == 0)
    }

    @Test(arguments: [(8, 64, 0.143), (8, 64, 0.5), (16, 64, 1.4)])
    func `An exponential mean keeps the share of a fit's variance that the overlap of windows leaves`(
        hop: Int, length: Int, age: Double
    ) {
        var generator = SeededGenerator(seed: 204)
        let values = fits(40_000, hop: hop, length: length, using: &generator)
        let n = Double(length)
        let (step, variance) = (Double(hop) / n, 12 / (n * (n * n - 1)))
        var (mean, square) = (0.0, 0.0)
        for value in values {
            // The mean age of the fits in it is then `age` windows.
            mean += step / (age + step) * (value - mean)
            square += mean * mean
        }
        let share = square / Double(values.count) / variance
        // The sum is exact for windows of infinitely many samples; of 64, the correlations differ by a few hundredths. 40,000
        // hops hold a thousand independent means at least, which tell a variance to 5 %.
        let expected = PitchInnovation.noiseShare(age: age, spacing: step, window: 1)
        #expect(abs(share / expected - 1) < 0.15)
    }

    @Test func `Motion that is slower than the noise of fits shows as wobble`() {
        var generator = SeededGenerator(seed: 205)
        var (still, wobbling, falseAlarms, power, count) = (
            innovation(memory: 0.15), innovation(memory: 0.15), 0, 0.0, 0.0
        )
        let white = fits(4_000, hop: 32, length: 64, using: &generator)
        // The fits' own variance as the bound, 0.5 cents at most.
        let length = 64.0
        let scale = 3e-4 * (length * (length * length - 1) / 12).squareRoot()
        for (index, value) in white.enumerated() {
            let (noise, time) = (scale * value, 0.01067 * Double(index))
            still.add(difference: noise, bound: 9e-8, after: 0.01067, window: 0.0213)
            wobbling.add(
                difference: noise + 6e-4 * sin(2 * .pi * 3 * time), bound: 9e-8, after: 0.01067, window: 0.0213)
            if still.wobble > 0 { falseAlarms += 1 }
            guard index > 100 else { continue }
            power += wobbling.wobble
            count += 1
        }
        // 2.5 times the mean square of a few independent means of noise.
        #expect(falseAlarms < 400)
        // Half of the squared amplitude, 18e-8, of which the mean, whose newest fit counts for s = 0.356, keeps
        // s² / (1 - 2 (1 - s) cos ωT + (1 - s)²) = 0.83; of the noise, 0.147 of 9e-8, one and a half times more are taken off
        // than there are: 13.0e-8. 40 s hold 130 half-periods.
        #expect(abs(power / count / 13.0e-8 - 1) < 0.15)
    }

    @Test func `What a pitch has moved is expected of the long window, and forgotten as it holds still`() {
        var innovation = innovation(memory: 0.15)
        innovation.expect(wobble: 4e-8)
        #expect(innovation.wobble == 4e-8)
        innovation.expect(wobble: 1e-8)
        #expect(innovation.wobble == 4e-8, "less than is known already")
        // The first differences are a plain mean; 30 more at 10.67 ms of 150 leave (1 - 0.0711)^16 of it at most.
        for _ in 0..<30 { innovation.add(difference: 0, bound: 0, after: 0.01067, window: 0.0213) }
        #expect(innovation.wobble < 4e-8 * 0.31)
    }
}
