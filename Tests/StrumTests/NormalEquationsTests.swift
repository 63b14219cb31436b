import Foundation
import Realtime
import TestSignals
import Testing

@testable import Strum

/// The parts of the fit against sums and integrals that are computed in the plain way.
@Suite struct NormalEquationsTests {
    @Test func `The moments are the integrals, by the series and by the closed form`() {
        var generator = SeededGenerator(seed: 1)
        let moments = HannMoments()
        var worst = 0.0
        for size in [0.0, 0.5, 3, 4.99, 5.01, 8, 30] {
            for _ in 0..<20 {
                let angle = Double.random(in: 0...(2 * .pi), using: &generator)
                let h = ComplexNumber(min(4, size) * cos(angle), size * sin(angle))
                let values = moments.values(
                    h, exponential: ComplexNumber(exponential: h), inverse: ComplexNumber(exponential: h * -1))
                let zeroth = moments.zeroth(
                    h, exponential: ComplexNumber(exponential: h), inverse: ComplexNumber(exponential: h * -1))
                // The same number by fewer roundings.
                #expect((zeroth - values.zeroth).power < 1e-24 * exp(2 * abs(h.re)))
                for (power, value) in [values.zeroth, values.first, values.second].enumerated() {
                    let integral = integral(h, power)
                    let scale = exp(abs(h.re))
                    worst = max(worst, (value - integral).power.squareRoot() / scale)
                }
            }
        }
        // Simpson's rule in 4,000 steps: (30 / 2,000)⁴ / 180 = 3e-10 for the fastest exponential.
        #expect(worst < 1e-9, "\(worst)")
    }

    /// ∫ w(τ) τⁿ exp(hτ) dτ on -1...1 by Simpson's rule.
    private func integral(_ h: ComplexNumber, _ n: Int) -> ComplexNumber {
        let count = 4_000
        var sum = ComplexNumber(0, 0)
        for i in 0...count {
            let t = 2 * Double(i) / Double(count) - 1
            let weight = i == 0 || i == count ? 1.0 : i % 2 == 1 ? 4 : 2
            let height = 0.5 * (1 + cos(.pi * t)) * pow(t, Double(n))
            sum = sum + ComplexNumber(exponential: h * t) * (weight * height * 2 / Double(count) / 3)
        }
        return sum
    }

    @Test func `The products of a window are the sums over its samples`() {
        var generator = SeededGenerator(seed: 2)
        var samples = (0..<1_001).map { _ in Float.random(in: -1...1, using: &generator) }
        var window = WeightedWindow(capacity: 1_200)
        samples.withUnsafeMutableBufferPointer { window.load($0) }
        let pole = ComplexNumber(-0.7, 55)
        var (plain, sloped) = (ComplexNumber(0, 0), ComplexNumber(0, 0))
        for (n, sample) in samples.enumerated() {
            let t = 2 * (Double(n) + 0.5) / 1_001 - 1
            let weight = (1 + cos(.pi * t)) / 1_001 * Double(sample)
            let term = ComplexNumber(exponential: pole.conjugate * t) * weight
            plain = plain + term
            sloped = sloped + term * t
        }
        let found = window.products(with: pole)
        // A thousand roundings of doubles.
        #expect((found.plain - plain).power < 1e-24 && (found.sloped - sloped).power < 1e-24)
        #expect(plain.power > 1e-6, "there is something to compare")
        let still = window.product(with: ComplexNumber(0, 55))
        let other = window.products(with: ComplexNumber(0, 55)).plain
        // In single precision: a thousand terms of 0.0006, each rounded a few times by 2^-24, add up to 3e-9 at random.
        #expect((still - other).power < 1e-15)
    }

    @Test func `A Hermitian system is solved`() {
        let n = 11
        var generator = SeededGenerator(seed: 3)
        func random() -> ComplexNumber {
            ComplexNumber(Double.random(in: -1...1, using: &generator), Double.random(in: -1...1, using: &generator))
        }
        let factor = HermitianFactor(capacity: n)
        let solution = (0..<n).map { _ in random() }
        // M M* + 1 is positive definite.
        let m = (0..<n).map { _ in (0..<n).map { _ in random() } }
        var (re, im) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
        for i in 0..<n {
            var right = ComplexNumber(0, 0)
            for j in 0..<n {
                var sum = ComplexNumber(i == j ? 1 : 0, 0)
                for k in 0..<n { sum = sum + m[i][k] * m[j][k].conjugate }
                if j <= i { factor.set(i, j, sum) }
                right = right + sum * solution[j]
            }
            (re[i], im[i]) = (right.re, right.im)
        }
        // In two parts, as the search does it.
        factor.factorize(size: 6, least: 1e-12)
        factor.factorize(size: n, from: 6, least: 1e-12)
        re.withUnsafeMutableBufferPointer { x in
            im.withUnsafeMutableBufferPointer { y in
                guard let x = x.baseAddress, let y = y.baseAddress else { return }
                factor.substitute(x, y, size: 6)
                factor.substitute(x, y, size: n, from: 6)
                factor.substituteBack(x, y, size: n)
            }
        }
        for i in 0..<n {
            // Doubles, times a condition number below 1,000.
            #expect((ComplexNumber(re[i], im[i]) - solution[i]).power < 1e-24)
        }
    }

    @Test func `Rows that begin late are solved like full ones with zeros`() {
        let n = 9
        var generator = SeededGenerator(seed: 5)
        let full = HermitianFactor(capacity: n)
        let banded = HermitianFactor(capacity: n)
        let fullReal = SymmetricFactor(capacity: n)
        let bandedReal = SymmetricFactor(capacity: n)
        for i in 0..<n {
            let start = max(0, i - 2 - i % 2)
            banded.starts.unsafeElements[i] = start
            bandedReal.starts.unsafeElements[i] = start
            for j in 0...i {
                let value = ComplexNumber(
                    Double.random(in: -1...1, using: &generator), Double.random(in: -1...1, using: &generator))
                let entry = i == j ? ComplexNumber(12, 0) : j < start ? ComplexNumber(0, 0) : value
                full.set(i, j, entry)
                fullReal.row(i)[j] = entry.re
                // What stands before the start is not read.
                banded.set(i, j, j < start ? ComplexNumber(.nan, .nan) : entry)
                bandedReal.row(i)[j] = j < start ? .nan : entry.re
            }
        }
        full.factorize(size: n, least: 1e-12)
        banded.factorize(size: n, least: 1e-12)
        fullReal.factorize(size: n, least: 1e-12)
        bandedReal.factorize(size: n, least: 1e-12)
        let right = (0..<n).map { _ in Double.random(in: -1...1, using: &generator) }
        var (a, b, c, d, e, f) = (right, right, right, right, right, right)
        full.substitute(&a, &b, size: n)
        full.substituteBack(&a, &b, size: n)
        banded.substitute(&c, &d, size: n)
        banded.substituteBack(&c, &d, size: n)
        fullReal.substitute(&e, size: n)
        fullReal.substituteBack(&e, size: n)
        bandedReal.substitute(&f, size: n)
        bandedReal.substituteBack(&f, size: n)
        for i in 0..<n {
            // The same operations but for additions of zero, in another order.
            #expect(abs(a[i] - c[i]) < 1e-14 && abs(b[i] - d[i]) < 1e-14 && abs(e[i] - f[i]) < 1e-14)
        }
    }

    /// Deviations put partials in another order than the tuning has: the rows of one between two others begin no later.
    @Test func `Every pair of partials that overlap is in the band, in any order of theirs`() throws {
        var generator = SeededGenerator(seed: 6)
        let strings = [82.4, 110, 146.8, 196, 246.9, 329.6], limit = 2_000.0
        let places = StringPlaces([strings], below: limit)
        var fit = StrumFit(
            stringCount: strings.count, partialCount: places.mostPartials, prior: StrumPrior(), capacity: 12_000)
        fit.retune(places, 0)
        var samples = (0..<12_000).map { _ in Float.random(in: -1...1, using: &generator) }
        samples.withUnsafeMutableBufferPointer { fit.window.load($0) }
        fit.halfLength = 1
        var (swapped, apart) = (0, 0)
        for _ in 0..<20 {
            for s in strings.indices { fit.laws.unsafeElements[s].cents = .random(in: -75...75, using: &generator) }
            for p in 0..<fit.layout.count { fit.detuning.unsafeElements[p] = .random(in: -15...15, using: &generator) }
            fit.place()
            fit.linearize()
            for p in 0..<fit.layout.count {
                for q in 0..<p {
                    let distance = fit.lines.poles.unsafeElements[p].im - fit.lines.poles.unsafeElements[q].im
                    swapped += distance < 0 ? 1 : 0
                    if abs(distance) >= .pi * bandBins {
                        apart += 1
                        continue
                    }
                    #expect(fit.equations.gram.starts.unsafeElements[p] <= q)
                    #expect(fit.equations.lasts.unsafeElements[q] >= p)
                }
            }
            let worst = disagreement(fit)
            // Doubles, times the condition of the Gram matrix, which the ridge of 1e-7 bounds by 1e9 at worst.
            #expect(worst < 1e-6, "\(worst)")
        }
        #expect(swapped > 100 && apart > 1_000, "there are such pairs: \(swapped), \(apart)")
    }

    /// How far the curvature of a fit is off what full matrices give, relative to its largest entry.
    private func disagreement(_ fit: borrowing StrumFit) -> Double {
        let count = fit.layout.count
        let full = HermitianFactor(capacity: count)
        var columns: [([Double], [Double])] = []
        func isIn(_ p: Int, _ q: Int) -> Bool { fit.equations.gram.starts.unsafeElements[max(p, q)] <= min(p, q) }
        for p in 0..<count {
            for q in 0...p {
                let value = isIn(p, q) ? fit.lines.product(p, q).zeroth : ComplexNumber(0, 0)
                full.set(p, q, p == q ? value * (1 + 1e-7) + ComplexNumber(fit.penalty.unsafeElements[p], 0) : value)
            }
        }
        full.factorize(size: count, least: 1e-12)
        for q in 0..<count {
            var (re, im) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
            for p in 0..<count where isIn(p, q) {
                let value = fit.lines.product(q, p).first
                (re[p], im[p]) = (value.re, -value.im)
            }
            re.withUnsafeMutableBufferPointer { x in
                im.withUnsafeMutableBufferPointer { y in
                    guard let x = x.baseAddress, let y = y.baseAddress else { return }
                    full.substitute(x, y, size: count)
                }
            }
            columns.append((re, im))
        }
        var (worst, largest) = (0.0, 1e-300)
        for p in 0..<count {
            for q in 0...p where isIn(p, q) {
                var overlap = ComplexNumber(0, 0)
                for k in 0..<count {
                    let (a, b) = (
                        ComplexNumber(columns[p].0[k], columns[p].1[k]), ComplexNumber(columns[q].0[k], columns[q].1[k])
                    )
                    overlap = overlap + a.conjugate * b
                }
                let (a, b) = (fit.amplitudes.unsafeElements[p], fit.amplitudes.unsafeElements[q])
                let expected = (fit.lines.product(p, q).second - overlap) * (a.conjugate * b)
                worst = max(worst, (fit.equations.curvature.element(p, q) - expected).power.squareRoot())
                largest = max(largest, expected.power.squareRoot())
            }
        }
        return worst / largest
    }

    @Test func `A symmetric system is solved`() {
        let n = 13
        var generator = SeededGenerator(seed: 4)
        let factor = SymmetricFactor(capacity: n)
        let m = (0..<n).map { _ in (0..<n).map { _ in Double.random(in: -1...1, using: &generator) } }
        let solution = (0..<n).map { _ in Double.random(in: -1...1, using: &generator) }
        var x = [Double](repeating: 0, count: n)
        for i in 0..<n {
            for j in 0..<n {
                let sum = (0..<n).reduce(i == j ? 1.0 : 0) { $0 + m[i][$1] * m[j][$1] }
                if j <= i { factor.row(i)[j] = sum }
                x[i] += sum * solution[j]
            }
        }
        factor.factorize(size: n, least: 1e-12)
        x.withUnsafeMutableBufferPointer { x in
            guard let x = x.baseAddress else { return }
            factor.substitute(x, size: n)
            factor.substituteBack(x, size: n)
        }
        // As above.
        for i in 0..<n { #expect(abs(x[i] - solution[i]) < 1e-12) }
    }

    @Test func `A chord repeats less than a note`() {
        func sound(_ frequencies: [Double]) -> [Float] {
            (0..<1_500).map { n in
                Float(frequencies.reduce(0) { $0 + sin(2 * .pi * $1 * Double(n) / 6_000) })
            }
        }
        func clarity(_ frequencies: [Double]) -> Double {
            var samples = sound(frequencies)
            return samples.withUnsafeMutableBufferPointer { strumClarity($0, longestLag: 87) }
        }
        // A period is found exactly but for the parabola through three lags: 0.5 % of 30 samples a period.
        #expect(clarity([200, 400, 600]) > 0.99)
        #expect(clarity([82.4, 110, 146.8, 196, 246.9, 329.6]) < 0.75)
    }

    @Test func `An unknown that is lost to rounding leaves the others as certain as they are`() {
        // The last unknown of three has, after the first two, a pivot below zero and beside it what rounding has left.
        let factor = SymmetricFactor(capacity: 4)
        let rows: [[Double]] = [[4], [1, 9], [2, 3, 1], [0, 1, 5, 16]]
        for (i, row) in rows.enumerated() {
            factor.floors.unsafeElements[i] = 0.01
            for (j, value) in row.enumerated() { factor.row(i)[j] = value }
        }
        factor.factorize(size: 4, least: 1e-12)
        var x = [1.0, 2, 0, 3]
        x.withUnsafeMutableBufferPointer { x in
            guard let x = x.baseAddress else { return }
            factor.substitute(x, size: 4)
            factor.substituteBack(x, size: 4)
        }
        // Without the third: 4a + b = 1, a + 9b + d = 2, b + 16d = 3, whose determinant is 556.
        let (a, b, d) = (114.0 / 556, 100.0 / 556, 98.0 / 556)
        #expect(abs(x[0] - a) < 1e-12 && abs(x[1] - b) < 1e-12 && abs(x[3] - d) < 1e-12, "\(x)")
    }
}
