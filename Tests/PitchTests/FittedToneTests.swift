import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// A tone of partials with the given powers, each of full weight.
func makeTone(
    _ powers: [Double], fundamental: Double? = nil, inharmonicity: Double = 0, chance: Double = 0
) -> FittedTone {
    var tone = FittedTone(
        fundamental: fundamental ?? 2.5 / Double(powers.count + 1), inharmonicity: inharmonicity, count: powers.count,
        chance: chance)
    for (index, power) in powers.enumerated() { tone.set(index + 1, power: power, weight: power > 0 ? 1 : 0) }
    return tone
}

@Suite struct FittedToneTests {
    @Test(arguments: [96, 1_096, 2_096, 3_096] as [UInt64])
    func `The repetition rate is where the autocorrelation peaks, however stiff the string`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<100 {
            let (count, slope) = (
                Int.random(in: 2...30, using: &generator), Double.random(in: 0.7...2, using: &generator)
            )
            let tone = makeTone(
                (1...count).map { pow(Double($0), -2 * slope) }, inharmonicity: generator.logUniform(1e-6, 2e-3))
            func autocorrelation(_ tau: Double) -> Double {
                var sum = 0.0
                for k in 1...count { sum += tone.powers[k] * cos(tone.frequency(of: k) * tau) }
                return sum
            }
            // Every tenth of the highest partial's period, from its own period to the first one's.
            let (first, last) = (2 * .pi / tone.frequency(of: 1), 2 * .pi / tone.frequency(of: count))
            var highest = autocorrelation(first)
            for tau in stride(from: Double(count - 1) * last, through: first + last, by: last / 10) {
                highest = max(highest, autocorrelation(tau))
            }
            // Of two peaks as high as each other but for a hundredth either will do; but a peak it is, to a millionth.
            let found = 2 * Double.pi / tone.repetition()
            let height = autocorrelation(found)
            #expect(height > 0.99 * highest, "seed \(seed), trial \(trial)")
            let step = 1e-6 * found
            let isPeak = height >= autocorrelation(found - step) && height >= autocorrelation(found + step)
            #expect(isPeak, "seed \(seed), trial \(trial)")
        }
        // 12 partials of 1/k at B = 5e-4: there the mean of ω_k / k is 1.97 c too high.
        let tone = makeTone((1...12).map { 1 / Double($0 * $0) }, inharmonicity: 5e-4)
        var mean = 0.0
        for k in 1...12 { mean += tone.frequency(of: k) / Double(12 * k) }
        let above: Double = 1_200 * log2(mean / tone.repetition())
        #expect(abs(above - 1.97) < 0.01, "\(above)")
        let silent = makeTone([0, 0])
        #expect(silent.repetition() == silent.fundamental)
    }

    @Test func `The strongest partial, the highest one that is present, and a lone line are found`() {
        var generator = SeededGenerator(seed: 97)
        for _ in 0..<200 {
            let count = Int.random(in: 2...30, using: &generator)
            let powers = (0..<count).map { _ in pow(generator.normal(), 6) + pow(generator.normal(), 6) }
            let chance = generator.logUniform(0.001, 1)
            let tone = makeTone(powers, chance: chance)
            let strongest = (powers.indices.max { powers[$0] < powers[$1] } ?? 0) + 1
            #expect(tone.strongest == strongest)
            let others = powers.reduce(0, +) - powers[strongest - 1]
            let isLone = strongest > 1 && powers[strongest - 1] > 19 * others
            let isAccompanied = powers.indices.contains { $0 + 1 != strongest && powers[$0] > 7 * chance }
            let place = tone.frequency(of: strongest)
            #expect(tone.isFractionOfOneLine(highest: place * 0.99) == isLone)
            #expect(tone.isFractionOfOneLine(highest: place * 1.01) == (isLone && !isAccompanied))
            #expect(tone.highestPresent == powers.lastIndex { $0 > 7 * chance }.map { $0 + 1 } ?? 1)
        }
        // A squeal, a note that is strongest in its second partial, and a line with nothing beside it.
        for (powers, isLone) in [([1e-4, 1, 1e-4], true), ([1, 1e-4, 1e-4], false), ([0.04, 1, 0.04], false)] {
            let (clean, noisy) = (makeTone(powers, chance: 1e-6), makeTone(powers, chance: 1e-2))
            #expect(clean.isFractionOfOneLine(highest: 0.5) == isLone && !clean.isFractionOfOneLine(highest: 3))
            #expect(noisy.isFractionOfOneLine(highest: 3) == isLone)
        }
    }

    @Test func `Of partials that are not there one in 1,100 passes for present`() {
        var generator = SeededGenerator(seed: 98)
        var present = 0
        for _ in 0..<2_000 {
            // Exponential, of mean 1.
            let tone = makeTone((0..<50).map { _ in -log(Double.random(in: 1e-12...1, using: &generator)) }, chance: 1)
            present += (1...50).count { tone.isPresent($0) }
        }
        // e⁻⁷ of 100,000 are 91, give or take ten: within four standard errors.
        #expect(abs(present - 91) < 40, "\(present)")
    }
}
