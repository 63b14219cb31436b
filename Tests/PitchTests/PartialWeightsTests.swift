import Foundation
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
        (fit.cosine.base[index + 1], fit.sine.base[index + 1]) = (amplitude.a, amplitude.b)
        fit.weight.base[index + 1] = 1
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
            #expect(fit.weight.base[0] == 0)
            let chance = 4 * noise / Double(length)
            let ratios = amplitudes.map { ($0.a * $0.a + $0.b * $0.b) / chance }
            let highest = ratios.max() ?? 0
            for (index, ratio) in ratios.enumerated() {
                let own = ratio > least ? (ratio - 1) / ratio : 0
                // One must carry the pitch, however faint.
                let expected = ratio == highest ? max(0.1, own) : own
                #expect(abs(fit.weight.base[index + 1] - expected) < 1e-12)
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
                passed += (1...count).count { fit.weight.base[$0] > 0.100001 }
            }
            let (expected, all) = (exp(-least), Double(trials * count))
            // 8 % and 0.25 % of 12,000, within four standard errors.
            #expect(abs(Double(passed) / all - expected) < 4 * (expected / all).squareRoot(), "\(passed) at \(least)")
        }
    }

    @Test(arguments: [96, 1_096, 2_096, 3_096] as [UInt64])
    func `The repetition rate is where the autocorrelation peaks, however stiff the string`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<100 {
            let (count, slope) = (
                Int.random(in: 2...30, using: &generator), Double.random(in: 0.7...2, using: &generator)
            )
            let amplitudes = (1...count).map { k in
                let (size, phase) = (pow(Double(k), -slope), Double.random(in: 0...(2 * .pi), using: &generator))
                return (a: size * cos(phase), b: size * sin(phase))
            }
            let fit = makeFit(amplitudes, inharmonicity: generator.logUniform(1e-6, 2e-3))
            func autocorrelation(_ tau: Double) -> Double {
                var sum = 0.0
                for k in 1...count { sum += fit.power(of: k) * cos(fit.gram.frequency.base[k] * tau) }
                return sum
            }
            // Every tenth of the highest partial's period, from its own period to the first one's.
            let (first, last) = (2 * .pi / fit.gram.frequency.base[1], 2 * .pi / fit.gram.frequency.base[count])
            var highest = autocorrelation(first)
            for tau in stride(from: Double(count - 1) * last, through: first + last, by: last / 10) {
                highest = max(highest, autocorrelation(tau))
            }
            // Of two peaks as high as each other but for a hundredth either will do; but a peak it is, to a millionth.
            let found = 2 * Double.pi / fit.repetition()
            let height = autocorrelation(found)
            #expect(height > 0.99 * highest, "seed \(seed), trial \(trial)")
            let step = 1e-6 * found
            let isPeak = height >= autocorrelation(found - step) && height >= autocorrelation(found + step)
            #expect(isPeak, "seed \(seed), trial \(trial)")
        }
        // 12 partials of 1/k at B = 5e-4: there the mean of ω_k / k is 1.97 c too high.
        let fit = makeFit((1...12).map { (a: 1 / Double($0), b: 0) }, inharmonicity: 5e-4)
        var mean = 0.0
        for k in 1...12 { mean += fit.gram.frequency.base[k] / Double(12 * k) }
        let above: Double = 1_200 * log2(mean / fit.repetition())
        #expect(abs(above - 1.97) < 0.01, "\(above)")
        let silent = makeFit([(0, 0), (0, 0)])
        #expect(silent.repetition() == silent.gram.fundamental)
    }

    @Test func `The strongest partial, the highest one that is heard, and a lone line are found`() {
        var generator = SeededGenerator(seed: 97)
        for _ in 0..<200 {
            let count = Int.random(in: 2...30, using: &generator)
            let amplitudes = (0..<count).map { _ in
                (a: pow(generator.normal(), 3), b: pow(generator.normal(), 3))
            }
            let powers = amplitudes.map { $0.a * $0.a + $0.b * $0.b }
            let fit = makeFit(amplitudes)
            let strongest = (powers.indices.max { powers[$0] < powers[$1] } ?? 0) + 1
            #expect(fit.strongestPartial() == strongest)
            let noise = generator.logUniform(0.1, 100)
            fit.weigh(noise: noise, least: 2.5)
            let others = powers.reduce(0, +) - powers[strongest - 1]
            let isLone = strongest > 1 && powers[strongest - 1] > 19 * others
            let isHeard = powers.indices.contains { $0 + 1 != strongest && powers[$0] > 7 * 4 * noise / 400 }
            let place = fit.gram.frequency.base[strongest]
            let (isBeyond, isWithin) = (
                fit.isFractionOfOneLine(highest: place * 0.99), fit.isFractionOfOneLine(highest: place * 1.01)
            )
            #expect(isBeyond == isLone)
            #expect(isWithin == (isLone && !isHeard))
            for ratio in [2.5, 4, 7] {
                let chance = 4 * noise / 400
                let heard = powers.lastIndex { $0 > ratio * chance }.map { $0 + 1 } ?? 1
                // A carrier that does not stand out counts for a ratio of 1 / 0.9 only.
                #expect(fit.highestPartial(over: ratio) == heard)
            }
        }
        for (amplitudes, isLone) in [([0.01, 1, 0.01], true), ([1, 0.01, 0.01], false), ([0.2, 1, 0.2], false)] {
            let fit = makeFit(amplitudes.map { (a: $0, b: 0) })
            // A squeal, a note that is strongest in its second partial, and a line with nothing beside it.
            let (isSqueal, isFraction) = (fit.isFractionOfOneLine(highest: 0.5), fit.isFractionOfOneLine(highest: 3))
            fit.weigh(noise: 1, least: 2.5)
            let isOfOneLine = fit.isFractionOfOneLine(highest: 3)
            #expect(isSqueal == isLone && !isFraction && isOfOneLine == isLone)
        }
    }
}
