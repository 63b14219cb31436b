import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// A fit with amplitudes as given, over `length` samples.
private func makeFit(_ amplitudes: [(a: Double, b: Double)], length: Int = 400, inharmonicity: Double = 0)
    -> HarmonicFit
{
    var fit = HarmonicFit()
    fit.gram.tune(
        fundamental: 2.5 / Double(amplitudes.count + 1), inharmonicity: inharmonicity, partials: amplitudes.count)
    fit.gram.build(length: length)
    for (index, amplitude) in amplitudes.enumerated() {
        (fit.cosine.start[index + 1], fit.sine.start[index + 1]) = (amplitude.a, amplitude.b)
        fit.weight.start[index + 1] = 1
    }
    return fit
}

@Suite struct PartialWeightsTests {
    @Test func `A weight is one less the share that noise alone would bring, and zero below the least`() {
        var generator = SeededGenerator(seed: 94)
        for _ in 0..<200 {
            let amplitudes = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
                (a: 0.1 * generator.normal(), b: 0.1 * generator.normal())
            }
            let (length, noise) = (Int.random(in: 100...2_000, using: &generator), generator.logUniform(0.01, 10))
            let least = Double.random(in: 1...7, using: &generator)
            let fit = makeFit(amplitudes, length: length)
            fit.weigh(noise: noise, least: least)
            #expect(fit.weight.start[0] == 0)
            let chance = 4 * noise / Double(length)
            let ratios = amplitudes.map { ($0.a * $0.a + $0.b * $0.b) / chance }
            let highest = ratios.max() ?? 0
            for (index, ratio) in ratios.enumerated() {
                let own = ratio > least ? (ratio - 1) / ratio : 0
                // One must carry the pitch, however faint.
                let expected = ratio == highest ? max(0.1, own) : own
                #expect(abs(fit.weight.start[index + 1] - expected) < 1e-12)
            }
        }
    }

    @Test func `Of partials that are not there as many pass as chance lets`() {
        var generator = SeededGenerator(seed: 95)
        // a and b of a sine in white noise of unit variance have the variance 2 / N each: a² + b² is exponential.
        let (length, trials, count) = (400, 600, 20)
        let spread = (2 / Double(length)).squareRoot()
        for least in [2.5, 6] {
            var passed = 0
            for _ in 0..<trials {
                let fit = makeFit(
                    (0..<count).map { _ in (a: spread * generator.normal(), b: spread * generator.normal()) })
                fit.weigh(noise: 1, least: least)
                // 0.1 marks the one that carries the pitch without standing out.
                passed += (1...count).count { fit.weight.start[$0] > 0.100001 }
            }
            let (expected, all) = (exp(-least), Double(trials * count))
            // 8 % and 0.25 % of 12,000, within four standard errors.
            #expect(abs(Double(passed) / all - expected) < 4 * (expected / all).squareRoot(), "\(passed) at \(least)")
        }
    }
}
