import Foundation
import Realtime
import TestSignals

@_spi(Engine) @testable import Pitch

/// Least squares without any trick, to hold the kernels against: the model of `HarmonicFit` as columns of numbers, one
/// entry per sample, normal equations added up term by term and solved by elimination.
struct PlainFit {
    let fundamental: Double
    let inharmonicity: Double
    let partials: Int
    /// -(N-1)/2 … (N-1)/2.
    let times: [Double]
    /// 1, cos ω_1 m, sin ω_1 m, cos ω_2 m, …
    let columns: [[Double]]

    init(fundamental w: Double, inharmonicity b: Double, partials: Int, length: Int) {
        (fundamental, inharmonicity, self.partials) = (w, b, partials)
        let times = (0..<length).map { Double($0) - Double(length - 1) / 2 }
        var columns = [times.map { _ in 1.0 }]
        for k in 1...partials {
            let omega = Double(k) * w * (1 + b * Double(k * k)).squareRoot()
            columns.append(times.map { cos(omega * $0) })
            columns.append(times.map { sin(omega * $0) })
        }
        (self.times, self.columns) = (times, columns)
    }

    /// Offset, a_1, b_1, a_2, … of the best fit to `y`.
    func amplitudes(of y: [Double]) -> [Double] {
        solved(columns.map { column in columns.map { product(column, $0) } }, columns.map { product($0, y) })
    }

    /// What the amplitudes leave of `y`.
    func rest(of y: [Double]) -> [Double] {
        var rest = y
        for (column, amplitude) in zip(columns, amplitudes(of: y)) {
            for n in rest.indices { rest[n] -= amplitude * column[n] }
        }
        return rest
    }

    /// How the model moves with w, B, γ and γ′ (in this order), each partial weighed: by central differences.
    ///
    /// A step turns the highest partial by 1e-4 at the ends, so that the difference is true to 1e-8.
    func derivative(_ unknown: Int, amplitudes: [Double], weights: [Double]) -> [Double] {
        let (half, most) = (Double(times.count) / 2, Double(partials))
        let reach = [most * half, most * most * most * fundamental * half / 2, half, most * half][unknown]
        let step = 1e-4 / reach
        func value(_ offset: Double, _ k: Int, _ m: Double) -> Double {
            let (number, w) = (Double(k), fundamental + (unknown == 0 ? offset : 0))
            let b = inharmonicity + (unknown == 1 ? offset : 0)
            let decay = unknown == 2 ? offset : unknown == 3 ? offset * number : 0
            let phase = number * w * (1 + b * number * number).squareRoot() * m
            return exp(-decay * m) * (amplitudes[2 * k - 1] * cos(phase) + amplitudes[2 * k] * sin(phase))
        }
        return times.map { m in
            (1...partials).reduce(0.0) { $0 + weights[$1] * (value(step, $1, m) - value(-step, $1, m)) } / (2 * step)
        }
    }
}

/// Σ a b.
func product(_ a: [Double], _ b: [Double]) -> Double {
    var sum = 0.0
    for n in a.indices { sum += a[n] * b[n] }
    return sum
}

/// x of h x = r, by Gauss's elimination with the largest pivot of each column.
func solved(_ h: [[Double]], _ r: [Double]) -> [Double] {
    let n = r.count
    var a = (0..<n).map { h[$0] + [r[$0]] }
    for p in 0..<n {
        let pivot = (p..<n).max { abs(a[$0][p]) < abs(a[$1][p]) } ?? p
        a.swapAt(p, pivot)
        for i in 0..<n where i != p {
            let factor = a[i][p] / a[p][p]
            for j in p...n { a[i][j] -= factor * a[p][j] }
        }
    }
    return (0..<n).map { a[$0][n] / a[$0][$0] }
}

/// A stretch of sound and the place where a fit is linearized, by chance.
struct FitCase {
    let plain: PlainFit
    let samples: [Double]
    var length: Int { samples.count }
    var partials: Int { plain.partials }

    /// `partials` of 1/k and noise 20 to 60 dB below them, off the place of the fit by a tenth of a turn at most.
    init(partials range: ClosedRange<Int>, using generator: inout SeededGenerator) {
        let partials = Int.random(in: range, using: &generator)
        // At least two periods, and partials below 2.9 radians per sample.
        let length = Int.random(in: (8 * partials + 20)...(8 * partials + 90), using: &generator)
        let w = Double.random(in: (14 / Double(length))...(2.7 / Double(partials + 1)), using: &generator)
        let b = Bool.random(using: &generator) ? 0 : Double.random(in: 0...5e-4, using: &generator)
        plain = PlainFit(fundamental: w, inharmonicity: b, partials: partials, length: length)
        let off = 0.6 * Double.random(in: -1...1, using: &generator) / Double(partials * length)
        let noise = pow(10, Double.random(in: -3 ... -1, using: &generator))
        var samples = plain.times.map { _ in 0.3 + noise * generator.normal() }
        for k in 1...partials {
            let phase = Double.random(in: 0...(2 * .pi), using: &generator)
            let omega = Double(k) * (w + off) * (1 + b * Double(k * k)).squareRoot()
            for n in samples.indices { samples[n] += cos(omega * plain.times[n] + phase) / Double(k) }
        }
        self.samples = samples
    }

    var energy: Double { product(samples, samples) }

    /// A fit that stands where the plain one stands, and has the moments of the samples, summed one by one.
    func fit() -> HarmonicFit {
        var fit = HarmonicFit()
        fit.gram.tune(fundamental: plain.fundamental, inharmonicity: plain.inharmonicity, partials: partials)
        fit.gram.build(length: length)
        let timed = zip(plain.times, samples).map { $0 * $1 }
        for k in 0...partials {
            let cosines = k == 0 ? plain.columns[0] : plain.columns[2 * k - 1]
            let sines = k == 0 ? plain.times.map { _ in 0 } : plain.columns[2 * k]
            fit.cosineMoment.start[k] = product(cosines, samples)
            fit.sineMoment.start[k] = product(sines, samples)
            fit.cosineSlopeMoment.start[k] = product(cosines, timed)
            fit.sineSlopeMoment.start[k] = product(sines, timed)
        }
        return fit
    }
}
