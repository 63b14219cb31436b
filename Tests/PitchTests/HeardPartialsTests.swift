import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct HeardPartialsTests {
    private func tone(_ amplitudes: [Double], inharmonicity: Double = 0) -> FittedTone {
        makeTone(amplitudes.map { $0 * $0 }, fundamental: 0.05, inharmonicity: inharmonicity, chance: 1e-6)
    }

    @Test func `A search begins with the first three that are heard, and with three quarters of the power`() {
        var generator = SeededGenerator(seed: 101)
        for _ in 0..<200 {
            let count = Int.random(in: 4...40, using: &generator)
            let faint = Int.random(in: 0..<(count - 3), using: &generator)
            let amplitudes = (0..<count).map { $0 < faint ? 0 : Double.random(in: 0.1...1, using: &generator) }
            let powers = amplitudes.map { $0 * $0 }
            let all = powers.reduce(0, +)
            var expected = faint + 3
            while powers.prefix(expected).reduce(0, +) < 0.75 * all { expected += 1 }
            let heard = tone(amplitudes).heardPartials()
            #expect(heard.first == expected)
            let numbers = (1...count).map { Double($0 * $0) }
            let told = zip(numbers, powers).map { $0 * $1 }
            let mean = zip(numbers, told).reduce(0) { $0 + $1.0 * $1.1 } / told.reduce(0, +)
            #expect(abs(heard.meanSquare / mean - 1) < 1e-12)
            // Where B is known the upper ones have not pulled.
            let stiff = tone(amplitudes, inharmonicity: 1e-4).heardPartials()
            let below = told.prefix(expected)
            let lower = zip(numbers, below).reduce(0) { $0 + $1.0 * $1.1 } / below.reduce(0, +)
            #expect(stiff.first == expected && abs(stiff.meanSquare / lower - 1) < 1e-12)
        }
        let (one, none) = (tone([1, 0, 0, 0]).heardPartials(), tone([0, 0]).heardPartials())
        #expect(one.first == 2 && one.meanSquare == 1 && none.first == 0)
    }

    @Test func `The highest stiffness grows towards the treble and stays above that of every piano`() {
        // B of grands, and four times that for an upright half their size (the first column is hertz).
        for (frequency, stiffness) in [
            (27.5, 3e-4), (110, 1.5e-4), (440, 8e-4), (784, 1.5e-3), (1_568, 3e-3), (4_186, 7e-3),
        ] {
            #expect(InharmonicityPrior.highest(at: frequency) > 1.2 * stiffness)
        }
        #expect(InharmonicityPrior.highest(at: 200) == 2e-3 && InharmonicityPrior.highest(at: 1e5) == 3e-2)
    }
}
