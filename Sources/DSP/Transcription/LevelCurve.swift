package import Music

/// How loud a recording is, in steps of 50 ms or, of a long one, of more.
package struct LevelCurve: Sendable {
    /// The mean power of each step, oldest first.
    package private(set) var powers: [Float] = []
    /// The length of a step.
    package var step: Duration { .seconds(Double(samplesPerStep) / sampleRate.value) }

    private let sampleRate: Hertz
    private var samplesPerStep: Int
    private var sum = 0.0, count = 0

    /// 54 minutes of 50 ms, 256 KB; then two steps become one.
    private static let most = 1 << 16

    package init(sampleRate: Hertz) {
        self.sampleRate = sampleRate
        // 50 ms: two periods of 40 Hz, so that the level of a low note stands still.
        samplesPerStep = max(1, Int(0.05 * sampleRate.value))
    }

    /// Adds samples, full scale ±1.
    package mutating func add(_ samples: borrowing Span<Float>) {
        for index in samples.indices {
            let value = Double(samples[index])
            sum += value * value
            count += 1
            guard count == samplesPerStep else { continue }
            powers.append(Float(sum / Double(count)))
            (sum, count) = (0, 0)
            if powers.count == Self.most { halve() }
        }
    }

    private mutating func halve() {
        powers = stride(from: 0, to: powers.count - 1, by: 2).map { (powers[$0] + powers[$0 + 1]) / 2 }
        samplesPerStep *= 2
    }

    /// The level of a step; -120 dB and less is -120 dB.
    package func level(_ index: Int) -> Decibels {
        Decibels(power: max(1e-12, Double(powers[index])))
    }
}
