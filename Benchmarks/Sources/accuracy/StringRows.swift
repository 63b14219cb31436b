import Foundation
import WellTempered

/// A stiff string's tone: what it takes beside the pitch to make one.
private struct StiffString {
    var frequency: Double
    var stiffness: Double
    /// The amplitude of partial k at a frequency.
    var amplitude: (_ k: Double, _ hertz: Double) -> Double
    /// Seconds in which the first partial falls by 60 dB, the others sooner.
    var t60: Double
    var highest = 16_000.0

    func samples(_ count: Int, rate: Double, _ source: inout SignalGenerator) -> [Double] {
        var samples = [Double](repeating: 0, count: count)
        var power = 0.0
        for k in 1...72 {
            let number = Double(k)
            let partial = frequency * number * (1 + stiffness * number * number).squareRoot()
            if partial > min(highest, 0.45 * rate) { break }
            let (size, offset) = (amplitude(number, partial), source.uniform(0, 2 * .pi))
            power += size * size / 2
            for n in 0..<count {
                let t = Double(n) / rate
                let decay = exp(-6.91 * t * (1 + 0.15 * (number - 1)) / t60)
                samples[n] += size * decay * cos(2 * .pi * partial * t + offset)
            }
        }
        for n in 0..<count { samples[n] *= min(1, Double(n) / (0.002 * rate)) / power.squareRoot() }
        return samples
    }
}

// Stiff strings where it is hard to tell how stiff they are.
extension SyntheticRows {
    /// Bass strings through microphones without bass, and the top two octaves of a piano.
    func strings(_ table: inout Table) throws {
        var source = generator(9)
        // A laptop's or a telephone's microphone: Butterworth's high-pass of second and fourth order.
        for (corner, order, name, frequency, stiffness) in [
            (100.0, 2.0, "B0", 30.868, 2e-4), (100, 2, "E1", 41.203, 1.5e-4), (200, 4, "B0", 30.868, 2e-4),
            (200, 4, "E1", 41.203, 1.5e-4), (200, 4, "A1", 55, 1e-4),
        ] {
            var errors = ErrorTally()
            for _ in 0..<max(4, tones / 20) {
                let position = source.uniform(0.1, 0.3)
                let string = StiffString(
                    frequency: frequency, stiffness: stiffness,
                    amplitude: { k, hertz in
                        sin(.pi * k * position) / k / (1 + pow(corner / hertz, 2 * order)).squareRoot()
                    }, t60: 4)
                try hear(string, &source) { reading, truth in
                    if isSteady(reading, since: 0.35) { errors.add(reading, truth: truth) }
                }
            }
            let title = "plucked \(name) through a \(Int(corner)) Hz high-pass of order \(Int(order))"
            table.row("\(title): median", errors.percentile(0.5), atMost: 0.05, unit: "c")
            table.note("\(title): p95", String(format: "%.3g c", errors.percentile(0.95)))
        }
        var (treble, honest, count) = (ErrorTally(), 0, 0)
        for midi in 72...108 {
            // Of a grand piano, after Young: eight times as much per octave and a half.
            let (frequency, stiffness) = (440 * pow(2, Double(midi - 69) / 12), 1e-3 * pow(2, Double(midi - 72) / 8.6))
            let string = StiffString(
                frequency: frequency, stiffness: stiffness, amplitude: { k, _ in pow(10, -0.6 * (k - 1)) },
                t60: 7 / (1 + Double(midi) / 40), highest: 18_000)
            try hear(string, &source) { reading, truth in
                guard isSteady(reading, since: 0.05) else { return }
                treble.add(reading, truth: truth)
                count += 1
                let cents = abs(1_200 * log2(reading.frequency.value / truth))
                if reading.state == .voiced, cents <= 2 * reading.standardError.value { honest += 1 }
            }
        }
        table.row("treble piano strings, C5 to C8: p95", treble.percentile(0.95), atMost: 0.05, unit: "c")
        table.row(
            "treble piano strings: true error within 2 standard errors", 100 * Double(honest) / Double(max(1, count)),
            from: 90, to: 100, unit: "%")
    }

    /// Gives every voiced or unvoiced reading of a string in noise 60 dB below, with the first partial's frequency.
    private func hear(
        _ string: StiffString, _ source: inout SignalGenerator, _ take: (PitchReading, Double) -> Void
    ) throws {
        let silence = [Double](repeating: 0, count: count(0.1 + source.uniform(0, 0.0107)))
        let sound = string.samples(count(1.4), rate: rate, &source)
        let signal = mix(silence + sound, 0.1, source.noise(silence.count + sound.count), 1e-4)
        let truth = string.frequency * (1 + string.stiffness).squareRoot()
        for reading in try listener.with(window: 0.3)(signal)
        where reading.state == .voiced || reading.state == .unvoiced { take(reading, truth) }
    }
}
