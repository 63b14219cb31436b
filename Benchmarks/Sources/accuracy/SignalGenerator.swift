import Figures
import Foundation

/// Test sound with exact truth. The same seed gives the same sound.
struct SignalGenerator {
    let rate: Double
    private var numbers: SeededNumbers

    init(seed: UInt64, rate: Double) {
        numbers = SeededNumbers(seed: seed)
        self.rate = rate
    }

    mutating func uniform() -> Double { numbers.uniform() }
    mutating func uniform(_ low: Double, _ high: Double) -> Double { numbers.uniform(low, high) }
    mutating func logUniform(_ low: Double, _ high: Double) -> Double { exp(uniform(log(low), log(high))) }
    mutating func normal() -> Double { numbers.normal() }
    mutating func noise(_ count: Int) -> [Double] { (0..<count).map { _ in normal() } }

    /// Partials k^-slope of random phase under a common phase φ(n), of root mean square 1, up to 20 kHz or 64 of them.
    ///
    /// - Returns: the tone, and Σ k² A_k², which with the noise variance gives the Cramér-Rao bound.
    mutating func tone(
        phase: [Double], highest: Double, slope: Double, withoutFundamental: Bool = false, partials: Int = 64
    ) -> (samples: [Double], information: Double) {
        let count = max(1, min(partials, Int(min(20_000, 0.416 * rate) / highest)))
        var amplitudes = (1...count).map { pow(Double($0), -slope) }
        if withoutFundamental && count >= 4 { amplitudes[0] = 0 }
        let scale = 1 / (amplitudes.reduce(0) { $0 + $1 * $1 } / 2).squareRoot()
        var samples = [Double](repeating: 0, count: phase.count)
        var information = 0.0
        // e^{ikφ} is the one before times e^{iφ}: rounding leaves 64 of them exact to 1e-14.
        let (stepX, stepY) = (phase.map { cos($0) }, phase.map { sin($0) })
        var (x, y) = (stepX, stepY)
        for k in 1...count {
            if amplitudes[k - 1] > 0 {
                let (a, offset) = (amplitudes[k - 1] * scale, uniform(0, 2 * .pi))
                information += Double(k * k) * a * a
                let (c, s) = (a * cos(offset), a * sin(offset))
                for n in samples.indices { samples[n] += c * x[n] - s * y[n] }
            }
            for n in samples.indices {
                (x[n], y[n]) = (x[n] * stepX[n] - y[n] * stepY[n], x[n] * stepY[n] + y[n] * stepX[n])
            }
        }
        return (samples, information)
    }

    func steadyPhase(_ frequency: Double, count: Int) -> [Double] {
        (0..<count).map { 2 * .pi * frequency * Double($0) / rate }
    }

    /// A plucked stiff string: partials f k √(1 + B k²) combed by the picking position, higher ones dying sooner, and
    /// a burst of noise at the attack. `frequency` is f; the first partial lies at f √(1 + B).
    mutating func pluck(frequency: Double, stiffness: Double, seconds: Double) -> [Double] {
        let (position, t60, bright) = (uniform(0.08, 0.35), uniform(2.5, 6), uniform(0.6, 1.4))
        let count = Int(seconds * rate)
        var samples = [Double](repeating: 0, count: count)
        for k in 1...60 {
            let number = Double(k)
            let partial = frequency * number * (1 + stiffness * number * number).squareRoot()
            if partial > 16_000 { break }
            let amplitude = sin(.pi * number * position) / pow(number, bright)
            let decay = 6.91 / (t60 / (1 + 0.15 * (number - 1)))
            let offset = uniform(0, 2 * .pi)
            for n in 0..<count {
                let t = Double(n) / rate
                samples[n] += amplitude * exp(-decay * t) * cos(2 * .pi * partial * t + offset)
            }
        }
        let first = samples.prefix(Int(rate / 4))
        let scale = 1 / (first.reduce(0) { $0 + $1 * $1 } / Double(first.count)).squareRoot()
        for n in 0..<count {
            let t = Double(n) / rate
            samples[n] = samples[n] * scale * min(1, t / 0.002) + 0.5 * normal() * exp(-t / 0.006)
        }
        return samples
    }

    /// Noise whose power falls as 1/f^exponent above 1/`seconds` Hz (20 Hz for brown), of root mean square 1.
    mutating func colored(_ exponent: Double, count: Int) -> [Double] {
        if exponent == 0 { return noise(count) }
        // Leaky sums of white noise: for pink with corners an octave apart and equal powers, -3 dB per octave; for brown with
        // one corner.
        let corners = exponent == 2 ? [20.0] : (0..<11).map { 10 * pow(2, Double($0)) }
        var states = [Double](repeating: 0, count: corners.count)
        var result = [Double](repeating: 0, count: count)
        for n in 0..<count {
            for (i, corner) in corners.enumerated() {
                let pole = exp(-2 * .pi * corner / rate)
                states[i] = pole * states[i] + (exponent == 2 ? 1 : corner.squareRoot()) * normal()
            }
            result[n] = states.reduce(0, +)
        }
        let scale = 1 / (result.reduce(0) { $0 + $1 * $1 } / Double(count)).squareRoot()
        return result.map { $0 * scale }
    }
}

/// Adds two signals with gains, as floats.
func mix(_ a: [Double], _ gain: Double, _ b: [Double], _ other: Double) -> [Float] {
    zip(a, b).map { Float(gain * $0 + other * $1) }
}
