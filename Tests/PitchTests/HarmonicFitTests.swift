import Foundation
import Realtime
import TestSignals
import Testing

@_spi(Engine) @testable import Pitch

@Suite struct HarmonicFitTests {
    @Test func `Amplitudes, energy and residual are those of plain least squares`() {
        let seed: UInt64 = 81
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<120 {
            let given = FitCase(partials: 1...8, using: &generator)
            var fit = given.fit()
            let estimate = fit.solve(energy: given.energy, prior: nil, decays: 0)
            let truth = given.plain.amplitudes(of: given.samples)
            // 100 samples of about 1, condition below 100: 1e-16 · 100 · 100.
            #expect(abs(fit.cosine.start[0] - truth[0]) < 1e-11)
            for k in 1...given.partials {
                #expect(abs(fit.cosine.start[k] - truth[2 * k - 1]) < 1e-11, "seed \(seed), trial \(trial)")
                #expect(abs(fit.sine.start[k] - truth[2 * k]) < 1e-11, "seed \(seed), trial \(trial)")
            }
            let rest = given.plain.rest(of: given.samples)
            let mean = given.samples.reduce(0, +) / Double(given.length)
            let energy = given.samples.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) }
            #expect(energy > 1 && abs(estimate.energy / energy - 1) < 1e-12)
            // A difference of sums a million times as large at 60 dB; below a ten-millionth the code gives up.
            let least = energy * 1e-7
            #expect(abs(estimate.residual - max(least, product(rest, rest))) < 1e-11 * energy)
        }
    }

    /// The step of the whole nonlinear problem with the amplitudes projected out, from derivatives by differences.
    private struct PlainStep {
        var value: [Double]
        var covariance: [[Double]]
        var constrained: (value: Double, variance: Double)
        var decayEvidence: Double

        init(_ given: FitCase, weights: [Double], unknowns: [Int], prior: InharmonicityPrior?) {
            let amplitudes = given.plain.amplitudes(of: given.samples)
            let rest = given.plain.rest(of: given.samples)
            let residual = max(given.energy * 1e-7, product(rest, rest))
            let rough = residual / Double(given.length - 2 * given.partials - 1 - unknowns.count)
            let moves = unknowns.map { given.plain.derivative($0, amplitudes: amplitudes, weights: weights) }
            let seen = moves.map { given.plain.rest(of: $0) }
            var h = moves.indices.map { p in moves.indices.map { product(seen[p], seen[$0]) } }
            var r = moves.map { product($0, rest) }
            let decays = unknowns.indices.filter { unknowns[$0] >= 2 }
            let some = decays.map { r[$0] }
            let explained = product(some, solved(decays.map { p in decays.map { h[p][$0] } }, some))
            decayEvidence = explained / rough
            // What the decays explain is no noise.
            let noise = rough * max(0.0025, 1 - explained / residual)
            if let prior, let p = unknowns.firstIndex(of: 1) {
                h[p][p] += noise / prior.variance
                r[p] += noise / prior.variance * (prior.value - given.plain.inharmonicity)
            }
            value = solved(h, r)
            covariance = h.indices.map { p in
                solved(h, h.indices.map { $0 == p ? 1 : 0 }).map { $0 * noise }
            }
            // With B where it stands: the system without its row and column.
            let kept = unknowns.indices.filter { unknowns[$0] != 1 }
            let reduced = kept.map { p in kept.map { h[p][$0] } }
            let unit = kept.map { $0 == 0 ? 1.0 : 0 }
            constrained = (solved(reduced, kept.map { r[$0] })[0], solved(reduced, unit)[0] * noise)
        }
    }

    @Test(arguments: [(false, 0), (false, 1), (false, 2), (true, 0), (true, 1), (true, 2)])
    func `The step and its variances are those of the projected normal equations`(hasPrior: Bool, decays: Int) {
        let seed: UInt64 = 82
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<40 {
            let given = FitCase(partials: 3...7, using: &generator)
            let weights = [0] + (1...given.partials).map { _ in Double.random(in: 0.1...1, using: &generator) }
            var longer = makeTone([Double](repeating: 1, count: given.partials))
            for k in 1...given.partials { longer.set(k, power: 1, weight: weights[k]) }
            let prior =
                hasPrior
                ? InharmonicityPrior(
                    value: Double.random(in: 0...1e-3, using: &generator), variance: generator.logUniform(1e-8, 1e-5))
                : nil
            var fit = given.fit()
            let estimate = fit.solve(energy: given.energy, prior: prior, decays: decays, weights: longer)
            let unknowns = [0] + (hasPrior ? [1] : []) + Array([2, 3][0..<decays])
            let plain = PlainStep(
                given, weights: weights, unknowns: unknowns, prior: prior)
            let error = plain.covariance[0][0].squareRoot()
            // In standard errors; the differences are true to 1e-8, and up to 1,000 times that where w and B trade.
            let step = estimate.fundamental - given.plain.fundamental
            #expect(abs(step - plain.value[0]) < 1e-4 * error, "seed \(seed), trial \(trial)")
            #expect(abs(estimate.fundamentalVariance / plain.covariance[0][0] - 1) < 1e-4)
            #expect(
                abs(estimate.constrained - given.plain.fundamental - plain.constrained.value)
                    < 1e-4 * plain.constrained.variance.squareRoot())
            #expect(abs(estimate.constrainedVariance / plain.constrained.variance - 1) < 1e-4)
            #expect(
                decays == 0
                    ? estimate.decayEvidence == 0
                    : abs(estimate.decayEvidence - plain.decayEvidence) < 1e-4 * (1 + plain.decayEvidence))
            guard hasPrior else {
                #expect(estimate.inharmonicity == given.plain.inharmonicity && estimate.inharmonicityVariance == 0)
                continue
            }
            let spread = plain.covariance[1][1].squareRoot()
            #expect(abs(estimate.inharmonicity - given.plain.inharmonicity - plain.value[1]) < 1e-4 * spread)
            #expect(abs(estimate.inharmonicityVariance / plain.covariance[1][1] - 1) < 1e-4)
            #expect(abs(estimate.covariance - plain.covariance[0][1]) < 1e-4 * error * spread)
        }
    }

    @Test func `A partial's own place and how well it is known are those of a fit of that partial alone`() {
        let seed: UInt64 = 83
        var generator = SeededGenerator(seed: seed)
        for trial in 0..<100 {
            let (partials, length) = (Int.random(in: 1...6, using: &generator), 1_200)
            let w = Double.random(in: 0.1...0.4, using: &generator)
            let times = PlainFit(fundamental: w, inharmonicity: 0, partials: 1, length: length).times
            let off = (1...partials).map { _ in 1e-4 * generator.normal() }
            let samples = times.map { m in
                (1...partials).reduce(0.0) { $0 + cos((Double($1) * w + off[$1 - 1]) * m + Double($1)) }
            }
            var fit = HarmonicFit()
            fit.gram.tune(fundamental: w, inharmonicity: 0, partials: partials)
            fit.gram.build(length: length)
            for (m, y) in zip(times, samples) { fit.add(y, at: m) }
            let tone = fit.solve(energy: product(samples, samples), prior: nil, decays: 0).tone
            for k in 1...partials {
                let (cents, error) = tone.detuning(of: k, noise: 1)
                let scale = 1_731.234 / (Double(k) * w)
                // 20 periods or more: what partials have in common is a few hundredths of them.
                #expect(abs(cents / scale - off[k - 1]) < 1e-5, "seed \(seed), trial \(trial)")
                // A line of amplitude 1: variance 24 / N³.
                #expect(abs(error / scale / (24 / pow(Double(length), 3)).squareRoot() - 1) < 0.05)
            }
        }
    }

    @Test func `On a clean tone the steps come to the true frequency and stiffness`() {
        var generator = SeededGenerator(seed: 84)
        for _ in 0..<100 {
            let (partials, length) = (Int.random(in: 4...8, using: &generator), 160)
            let w = Double.random(in: 0.1...(2.5 / Double(partials + 1)), using: &generator)
            let b = Double.random(in: 0...5e-4, using: &generator)
            let times = PlainFit(fundamental: w, inharmonicity: b, partials: 1, length: length).times
            let phases = (0...partials).map { _ in Double.random(in: 0...(2 * .pi), using: &generator) }
            let samples = times.map { m in
                (1...partials).reduce(0.0) {
                    $0 + cos(Double($1) * w * (1 + b * Double($1 * $1)).squareRoot() * m + phases[$1]) / Double($1)
                }
            }
            var fit = HarmonicFit()
            var (now, stiffness) = (w * (1 + 0.2 / (w * Double(partials * length))), b + 2e-5)
            for _ in 0..<8 {
                fit.gram.tune(fundamental: now, inharmonicity: stiffness, partials: partials)
                fit.gram.build(length: length)
                for k in 0...partials {
                    let omega = fit.gram.frequency.start[k]
                    var (c, s, cm, sm) = (0.0, 0.0, 0.0, 0.0)
                    for (m, y) in zip(times, samples) {
                        let (cosine, sine) = (y * cos(omega * m), y * sin(omega * m))
                        (c, s, cm, sm) = (c + cosine, s + sine, cm + m * cosine, sm + m * sine)
                    }
                    (fit.cosineMoment.start[k], fit.sineMoment.start[k]) = (c, s)
                    (fit.cosineSlopeMoment.start[k], fit.sineSlopeMoment.start[k]) = (cm, sm)
                }
                let estimate = fit.solve(energy: product(samples, samples), prior: .broad(), decays: 0)
                (now, stiffness) = (estimate.fundamental, estimate.inharmonicity)
            }
            // The noise is taken for 1e-7 of the energy at least, and the prior pulls at B by that much of its information.
            #expect(abs(now / w - 1) < 1e-7 && abs(stiffness - b) < 1e-8, "\(partials) partials of \(w), B \(b)")
        }
    }

    @Test func `Turns are the partials' phases, and rows of moments are taken over as they stand`() {
        var fit = HarmonicFit()
        fit.gram.tune(fundamental: 0.21, inharmonicity: 3e-4, partials: 9)
        let rows = SampleBuffer<Float>(count: 6 * PartialMoments.stride)
        for n in 0..<(6 * PartialMoments.stride) { rows.unsafeElements[n] = Float(n) }
        fit.setMoments(rows.start)
        for (first, span) in [(-37.5, 15.0), (-7.5, 15), (-7.5, 64)] {
            fit.turn(first: first, span: span)
            let stride = HarmonicGram.stride
            for k in 0...9 {
                let omega = fit.gram.frequency.start[k]
                for (row, value) in [cos(omega * first), sin(omega * first), cos(omega * span), sin(omega * span)]
                    .enumerated()
                {
                    // Rounded to a float.
                    #expect(abs(Double(fit.turns.start[row * stride + k]) - value) < 1e-7)
                }
                #expect(fit.cosineMoment.start[k] == Double(k) && fit.sineMoment.start[k] == Double(stride + k))
                #expect(fit.cosineSlopeMoment.start[k] == Double(2 * stride + k))
                #expect(fit.sineSlopeMoment.start[k] == Double(3 * stride + k))
            }
        }
        // Another note at the same places turns by other angles.
        fit.gram.tune(fundamental: 0.22, inharmonicity: 3e-4, partials: 9)
        fit.turn(first: -7.5, span: 64)
        #expect(abs(Double(fit.turns.start[1]) - cos(fit.gram.frequency.start[1] * 7.5)) < 1e-7)
    }
}
