import Foundation

extension SeededGenerator {
    /// A number from the standard normal distribution (Box & Muller, 1958).
    public mutating func normal() -> Double {
        let u = Double.random(in: 1e-300..<1, using: &self)
        let v = Double.random(in: 0..<1, using: &self)
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }

    /// A number whose logarithm is uniform.
    public mutating func logUniform(_ low: Double, _ high: Double) -> Double {
        exp(Double.random(in: log(low)...log(high), using: &self))
    }
}

/// `count` samples of a sine.
public func sine(
    frequency: Double, sampleRate: Double, count: Int, amplitude: Double = 0.5, phase: Double = 0
) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / sampleRate + phase)) }
}

/// A tone of partials k = 1 … K with amplitudes k^-slope and random phases, of the root mean square asked for.
///
/// - Parameters:
///   - inharmonicity: B of a stiff string; partial k lies at k f √(1 + B k²).
///   - missingFundamental: leaves partial 1 out.
///   - attack: seconds of a straight ramp at the start.
public func harmonicTone(
    frequency: Double, sampleRate: Double, count: Int, rms: Double = 0.1, slope: Double = 1, partials: Int = 64,
    inharmonicity: Double = 0, missingFundamental: Bool = false, attack: Double = 0,
    using generator: inout SeededGenerator
) -> [Float] {
    let highest = max(1, min(partials, Int(min(20_000, 0.42 * sampleRate) / frequency)))
    var amplitudes = (1...highest).map { pow(Double($0), -slope) }
    if missingFundamental && highest >= 4 { amplitudes[0] = 0 }
    let scale = rms / (amplitudes.reduce(0) { $0 + $1 * $1 } / 2).squareRoot()
    var samples = [Double](repeating: 0, count: count)
    for k in 1...highest {
        let partial = Double(k) * frequency * (1 + inharmonicity * Double(k * k)).squareRoot()
        if partial > 0.45 * sampleRate { break }
        let phase = Double.random(in: 0..<(2 * .pi), using: &generator)
        let amplitude = amplitudes[k - 1] * scale
        for n in 0..<count {
            samples[n] += amplitude * cos(2 * .pi * partial * Double(n) / sampleRate + phase)
        }
    }
    let ramp = attack * sampleRate
    return samples.enumerated().map { Float($1 * (ramp > 0 ? min(1, Double($0) / ramp) : 1)) }
}

/// White noise of the standard deviation asked for.
public func whiteNoise(count: Int, rms: Double, using generator: inout SeededGenerator) -> [Float] {
    (0..<count).map { _ in Float(rms * generator.normal()) }
}
