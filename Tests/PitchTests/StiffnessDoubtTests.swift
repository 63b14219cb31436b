import Foundation
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct StiffnessDoubtTests {
    /// A stiff tone whose partials lie `shifts` away from the model, each with an information of k².
    private func tone(shifts: [Double], fundamental w: Double = 0.1, inharmonicity: Double = 2e-4) -> FittedTone {
        var tone = makeTone(shifts.map { _ in 1 }, fundamental: w, inharmonicity: inharmonicity)
        for (index, shift) in shifts.enumerated() {
            tone.setShift(index + 1, shift, variance: 1 / Double((index + 1) * (index + 1)))
        }
        return tone
    }

    /// The first partial, w (1 + B/2), of the weighted straight fit of w and B to all partials but one.
    private func first(of tone: FittedTone, shifts: [Double], without left: Int?) -> Double {
        var (a, b, c, p, q) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for k in 1...shifts.count where k != left {
            let n = Double(k)
            let stretch = (1 + tone.inharmonicity * n * n).squareRoot()
            let (u, v) = (n * stretch, tone.fundamental * n * n * n / (2 * stretch))
            a += n * n * u * u
            b += n * n * u * v
            c += n * n * v * v
            p += n * n * u * shifts[k - 1]
            q += n * n * v * shifts[k - 1]
        }
        let (w, stiffness) = ((c * p - b * q) / (a * c - b * b), (a * q - b * p) / (a * c - b * b))
        return w + tone.fundamental / 2 * stiffness
    }

    @Test func `The doubt is the sum of squares by which the first partial moves when one partial is left out`() {
        var generator = SeededGenerator(seed: 401)
        for _ in 0..<50 {
            let shifts = (0..<12).map { _ in Float(1e-4 * generator.normal()) }.map(Double.init)
            let tone = tone(shifts: shifts)
            let whole = first(of: tone, shifts: shifts, without: nil)
            let jackknife = (1...12).reduce(0.0) {
                let moved = first(of: tone, shifts: shifts, without: $1) - whole
                return $0 + moved * moved
            }
            // Without noise nothing is taken off. The information is kept as a float.
            #expect(abs(tone.stiffnessDoubt(noise: 1e-30) / jackknife - 1) < 1e-5)
        }
    }

    @Test func `White noise raises no doubt`() {
        var generator = SeededGenerator(seed: 402)
        var raised = 0
        for _ in 0..<2_000 {
            let shifts = (1...16).map { 1e-5 * generator.normal() / Double($0) }
            if tone(shifts: shifts).stiffnessDoubt(noise: 1e-10) > 0 { raised += 1 }
        }
        // 2.5 standard errors: one case in a hundred of a normal variable. The sum of a few squares has a longer tail, and
        // the jackknife tells some 15 % too much.
        #expect(raised < 100)
    }

    @Test func `Two partials tell nothing of each other`() {
        #expect(tone(shifts: [1e-4, -1e-4]).stiffnessDoubt(noise: 1e-12) == 0)
        #expect(makeTone([1]).stiffnessDoubt(noise: 1) == 0)
    }
}
