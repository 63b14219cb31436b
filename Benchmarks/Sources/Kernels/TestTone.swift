import Figures
import Foundation

/// A tone of many partials 1/k in a little white noise: what the kernels and the rivals are given.
public struct TestTone {
    /// The fundamental in hertz.
    public var frequency: Double
    /// Samples per second.
    public var rate = 48_000.0
    /// The tone's root mean square.
    public var level = 0.1
    /// Tone over noise, of all power between 0 and half the sample rate; infinite for none.
    public var decibelsOverNoise = 60.0
    /// The most partials there are.
    public var partials = 20
    /// What the phases and the noise come from.
    public var seed: UInt64 = 1

    /// A tone of that many hertz.
    public init(frequency: Double) { self.frequency = frequency }

    /// How many partials there are below 20 kHz and 0.416 of the sample rate.
    public var partialCount: Int { max(1, min(partials, Int(min(20_000, 0.416 * rate) / frequency))) }

    /// Σ k² A_k² / σ²: what the Cramér-Rao bound needs to know.
    public var information: Double {
        var (power, weighted) = (0.0, 0.0)
        for k in 1...partialCount {
            power += 0.5 / Double(k * k)
            weighted += 1  // k² · (1/k)²
        }
        return weighted / power * pow(10, decibelsOverNoise / 10)
    }

    /// The Cramér-Rao bound in cents of a window of so many samples.
    ///
    ///     std = 1200 / ln 2 · √(24 / (information N (N² - 1))) / ω
    /// - SeeAlso: Kay, "Fundamentals of Statistical Signal Processing: Estimation Theory", 1993, section 3.11.
    public func bound(window count: Int) -> Double {
        let n = Double(count)
        return 1_731.234 * (24 / (information * n * (n * n - 1))).squareRoot() / (2 * .pi * frequency / rate)
    }

    /// `count` samples, after `silence` samples of noise alone; the tone rises within 2 ms.
    public func block(_ count: Int, after silence: Int = 0) -> [Float] {
        var source = SeededNumbers(seed: seed)
        var samples = [Double](repeating: 0, count: silence + count)
        var power = 0.0
        for k in 1...partialCount {
            let (amplitude, phase) = (1 / Double(k), source.uniform(0, 2 * .pi))
            power += amplitude * amplitude / 2
            let step = 2 * Double.pi * frequency * Double(k) / rate
            for n in 0..<count { samples[silence + n] += amplitude * cos(step * Double(n) + phase) }
        }
        let scale = level / power.squareRoot()
        let noise = level * pow(10, -decibelsOverNoise / 20)
        let rise = silence > 0 ? 0.002 * rate : 0
        return samples.indices.map { n in
            let normal = (-2 * log(1 - source.uniform())).squareRoot() * cos(2 * .pi * source.uniform())
            let gain = n < silence ? 0 : rise > 0 ? min(1, Double(n - silence) / rise) : 1
            return Float(samples[n] * scale * gain + noise * normal)
        }
    }
}
