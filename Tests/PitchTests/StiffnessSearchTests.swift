import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

/// What a fit would say of a string: right when all of its partials are in reach, astray when the highest is not.
private struct Oracle {
    let fundamental: Double
    let inharmonicity: Double
    let samples: Double
    /// The error of B is this part of a radian's worth of it, whatever the number of partials.
    let error: Double

    func turn(_ b: Double, _ partials: Int) -> Double {
        b * Double(partials * partials * partials) * fundamental * samples / 4
    }

    func estimate(from b: Double, partials: Int) -> HarmonicEstimate {
        var estimate = HarmonicEstimate()
        estimate.fundamental = fundamental
        estimate.inharmonicityVariance = pow(error / turn(1, partials), 2)
        // Beyond 1.2 radians the nearest peak is another one.
        estimate.inharmonicity =
            abs(turn(inharmonicity - b, partials)) < 1.2 ? inharmonicity : b + 0.4 / turn(1, partials)
        return estimate
    }
}

@Suite struct StiffnessSearchTests {
    private func string(_ generator: inout SeededGenerator) -> Oracle {
        Oracle(
            fundamental: generator.logUniform(0.01, 0.1), inharmonicity: generator.logUniform(1e-6, 6e-4),
            samples: generator.logUniform(1_000, 8_000).rounded(), error: 0.02)
    }

    @Test func `Every string's stiffness is found from nothing, through fits that are never out of reach`() {
        let seed: UInt64 = 89
        var generator = SeededGenerator(seed: seed)
        var steps = 0
        for trial in 0..<300 {
            let truth = string(&generator)
            let most = Int.random(in: 5...40, using: &generator)
            var search = StiffnessSearch(samples: Int(truth.samples), most: most, enough: most)
            var (w, b, before) = (truth.fundamental, 0.0, 0)
            var isFar = false
            while let partials = search.next(fundamental: &w, inharmonicity: &b) {
                #expect(
                    partials <= most
                        && (isFar ? partials == before : partials > before && before * 2 >= partials || before == 0))
                #expect(
                    abs(truth.turn(truth.inharmonicity - b, partials)) < 1.2 || partials == 3, "seed \(seed), \(trial)")
                let from = b
                search.take(truth.estimate(from: b, partials: partials), fundamental: &w, inharmonicity: &b)
                isFar = truth.turn(abs(b - from), partials) > 0.3
                before = partials
                steps += 1
            }
            #expect(search.isComplete && search.partials == most && b == truth.inharmonicity, "seed \(seed), \(trial)")
        }
        #expect(steps > 600 && steps < 300 * 16)
    }

    @Test func `The first step has as many partials as the shortest string leaves in reach`() {
        var generator = SeededGenerator(seed: 90)
        for _ in 0..<200 {
            let truth = string(&generator)
            var search = StiffnessSearch(samples: Int(truth.samples), most: 40, enough: 5)
            // 1.2 radians at an unknown B of 7e-4: k³ w B N / 4 = 1.2.
            var expected = 3
            while expected < 40, truth.turn(7e-4, expected + 1) <= 1.2 { expected += 1 }
            var (w, b) = (truth.fundamental, 0.0)
            #expect(search.next(fundamental: &w, inharmonicity: &b) == expected)
            #expect(w == truth.fundamental && b == 0)
            #expect(search.isComplete == (expected >= 5))
        }
    }

    @Test func `Noise that hides the stiffness ends the search where it is`() {
        var generator = SeededGenerator(seed: 91)
        for _ in 0..<100 {
            let clear = string(&generator)
            let truth = Oracle(fundamental: clear.fundamental, inharmonicity: 0, samples: clear.samples, error: 2)
            var search = StiffnessSearch(samples: Int(truth.samples), most: 40, enough: 40)
            var (w, b, steps) = (truth.fundamental, 0.0, 0)
            while let partials = search.next(fundamental: &w, inharmonicity: &b) {
                search.take(truth.estimate(from: b, partials: partials), fundamental: &w, inharmonicity: &b)
                steps += 1
            }
            // The error is 2 radians at the partials of the first step: no more come into reach.
            #expect(steps == 1 && !search.isComplete && search.partials < 40)
        }
    }

    @Test func `A stiffness that is known already is not looked for, another one is`() {
        var generator = SeededGenerator(seed: 92)
        for _ in 0..<100 {
            let truth = string(&generator)
            for isSame in [true, false] {
                let known = isSame ? truth.inharmonicity : truth.inharmonicity + 0.6 / truth.turn(1, 12)
                var search = StiffnessSearch(samples: Int(truth.samples), most: 12, enough: 12, known: known)
                var (w, b) = (truth.fundamental, 0.0)
                while let partials = search.next(fundamental: &w, inharmonicity: &b) {
                    search.take(truth.estimate(from: b, partials: partials), fundamental: &w, inharmonicity: &b)
                }
                #expect(search.isComplete != isSame)
            }
        }
    }

    @Test func `It ends within 16 steps whatever the fits say`() {
        var generator = SeededGenerator(seed: 93)
        let values = [0, 1e-4, -1, 1, .nan, .infinity, -.infinity, 1e300]
        func one() -> Double { values[Int.random(in: values.indices, using: &generator)] }
        for _ in 0..<500 {
            var search = StiffnessSearch(samples: 4_096, most: 30, enough: 10, known: one())
            var (w, b, steps) = (0.05, 0.0, 0)
            while let partials = search.next(fundamental: &w, inharmonicity: &b) {
                var estimate = HarmonicEstimate()
                (estimate.fundamental, estimate.inharmonicity, estimate.inharmonicityVariance) = (one(), one(), one())
                search.take(estimate, fundamental: &w, inharmonicity: &b)
                steps += 1
                #expect(partials >= 3 && partials <= 30 && (b >= 0 && b <= 2e-3 || b.isNaN))
            }
            #expect(steps >= 1 && steps <= 16)
        }
        for wrong in [.nan, 0] {
            var search = StiffnessSearch(samples: 4_096, most: 30, enough: 10)
            var (w, b) = (wrong, 0.0)
            #expect(search.next(fundamental: &w, inharmonicity: &b) == nil)
        }
    }
}
