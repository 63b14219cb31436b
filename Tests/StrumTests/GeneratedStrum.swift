import Foundation
import TestSignals

/// A strum of additive strings with known first partials.
struct GeneratedStrum {
    /// Its rate: low, so that a hundred of them are made in a second.
    static let sampleRate = 16_000.0
    /// Where the first string is struck, in seconds.
    static let start = 0.1
    /// First partials in hertz, lowest string first.
    static let guitar = [82.406_9, 110, 146.832_4, 195.997_7, 246.941_7, 329.627_6]

    let samples: [Float]
    /// In cents from the tuning.
    let detunings: [Double]
    /// The inharmonicity coefficient of each string.
    let stiffnesses: [Double]

    /// - Parameters:
    ///   - strings: first partials by the tuning, in hertz.
    ///   - range: how far off a string is at most, in cents.
    ///   - muted: the string that makes a dull noise only.
    ///   - only: the single string that is played, if not all are.
    ///   - weak: a string 40 dB below the others.
    ///   - lead: seconds of hiss before the strum, besides those that there are anyway.
    ///   - hiss: the largest sample of it.
    ///   - attack: seconds in which each string gets loud.
    ///   - gap: samples that are zero, as where a capture period is lost.
    ///   - detunings: in cents from the tuning, instead of random ones.
    init(
        _ strings: [Double] = guitar, seed: UInt64, range: Double = 50, seconds: Double = 0.9, muted: Int? = nil,
        only: Int? = nil, weak: Int? = nil, lead: Double = 0, hiss: Double = 1e-4, attack: Double = 0,
        gap: Range<Int> = 0..<0, detunings given: [Double]? = nil
    ) {
        var generator = SeededGenerator(seed: seed)
        func random(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &generator) }
        let rate = Self.sampleRate
        var sound = [Double](repeating: 0, count: Int(seconds * rate))
        var (detunings, stiffnesses): ([Double], [Double]) = ([], [])
        for (index, tuned) in strings.enumerated() {
            let cents = given?[index] ?? random(-range, range)
            detunings.append(cents)
            let (stiffness, place, level) = (random(2e-5, 1.2e-4), random(0.1, 0.3), random(0.5, 1))
            stiffnesses.append(stiffness)
            let decay = muted == index ? 60 : random(1.2, 2.3)
            let first = tuned * exp2(cents / 1_200) / (1 + stiffness).squareRoot()
            let begin = Int((Self.start + lead + 0.01 * Double(index)) * rate)
            for k in 1...40 {
                let number = Double(k)
                let frequency = first * number * (1 + stiffness * number * number).squareRoot()
                let phase = random(0, 2 * .pi)
                guard frequency < 7_000, only == nil || only == index else { continue }
                let amplitude = (weak == index ? 5e-4 : 0.05) * level * sin(.pi * number * place) / number
                let fall = exp(-decay * (1 + 0.15 * (number - 1)) / rate)
                var (x, y) = (amplitude * cos(phase), amplitude * sin(phase))
                let (c, s) = (fall * cos(2 * .pi * frequency / rate), fall * sin(2 * .pi * frequency / rate))
                for n in begin..<sound.count {
                    sound[n] += attack > 0 ? x * min(1, Double(n - begin) / (attack * rate)) : x
                    (x, y) = (x * c - y * s, x * s + y * c)
                }
            }
        }
        // By default 60 dB below the strum.
        samples = sound.indices.map { gap.contains($0) ? 0 : Float(sound[$0] + hiss * random(-1, 1)) }
        self.detunings = detunings
        self.stiffnesses = stiffnesses
    }
}
