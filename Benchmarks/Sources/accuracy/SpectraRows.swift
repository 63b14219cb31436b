import Foundation
import WellTempered

// Tones whose power is not where a tone's usually is: one partial only, a strong upper one, the lowest ones missing.
extension SyntheticRows {
    func spectra(_ table: inout Table) throws {
        var source = generator(8)
        try lonePartials(&table, &source)
        var (strong, missing) = (ErrorTally(), ErrorTally())
        for index in 0..<max(20, tones / 2) {
            let number = 2 + index % 3
            let weak = (1...6).map { ($0, $0 == number ? 1 : 0.1) }
            strong.add(
                try tally(source.logUniform(40, 4_000 / Double(number)), weak, 20, &source))
            let partials = index % 2 == 0 ? [3, 4, 5] : [3, 5, 7]
            missing.add(
                try tally(source.logUniform(50, 1_000), partials.map { ($0, 1) }, 20, &source))
        }
        table.row(
            "one upper partial +20 dB, 20 dB: gross and missed", strong.grossShare + strong.missedShare, atMost: 0,
            unit: "%")
        table.row(
            "no partials 1 and 2, 20 dB: gross and missed", missing.grossShare + missing.missedShare, atMost: 0,
            unit: "%")
        var honesty = Honesty()
        for _ in 0..<max(20, tones / 5) {
            let (frequency, seconds) = (source.logUniform(80, 1_500), source.logUniform(2, 6))
            let steady = source.tone(
                phase: source.steadyPhase(frequency, count: count(1.2)), highest: frequency,
                slope: source.uniform(0.6, 1.4)
            ).samples
            let string = steady.enumerated().map { $1 * exp(-6.91 * Double($0) / rate / seconds) }
            for reading in try listener.with(window: 0.3)(mix(string, 0.1, source.noise(string.count), 1e-3))
            where isSteady(reading) { honesty.add(reading, truth: frequency) }
        }
        table.row(
            "decaying tones, 40 dB: within 2 standard errors", honesty.share, from: 90, to: 99, unit: "%")
    }

    /// How many voiced readings lie within two of their standard errors.
    private struct Honesty {
        private var (within, all) = (0, 0)
        var share: Double { 100 * Double(within) / Double(max(1, all)) }

        mutating func add(_ reading: PitchReading, truth: Double) {
            guard reading.state == .voiced else { return }
            all += 1
            let cents = abs(1_200 * log2(reading.frequency.value / truth))
            if cents <= 2 * reading.standardError.value { within += 1 }
        }
    }

    /// Whistles and flutes, steady and with a vibrato of ±30 cents at 5.5 Hz.
    private func lonePartials(_ table: inout Table, _ source: inout SignalGenerator) throws {
        for decibels in [20, 10, 0] {
            var (steady, honesty) = (ErrorTally(), Honesty())
            for _ in 0..<max(20, tones / 4) {
                let frequency = source.logUniform(110, 4_000)
                for reading in try readings(frequency, [(1, 1)], Double(decibels), &source) {
                    steady.add(reading, truth: frequency)
                    honesty.add(reading, truth: frequency)
                }
            }
            table.row(
                "one partial, \(decibels) dB: gross and missed", steady.grossShare + steady.missedShare,
                atMost: decibels == 0 ? 0.5 : 0, unit: "%")
            table.row(
                "one partial, \(decibels) dB: within 2 standard errors", honesty.share, from: 90, to: 99, unit: "%")
        }
        var moving: [(Double, [PitchReading])] = []
        for _ in 0..<max(10, tones / 10) {
            let frequency = source.logUniform(220, 3_520)
            var (phase, sum) = ([Double](), 0.0)
            for n in 0..<count(2) {
                sum += 2 * .pi * vibrato(frequency, at: Double(n) / rate) / rate
                phase.append(sum)
            }
            let tone = source.tone(phase: phase, highest: frequency, slope: 1, partials: 1)
            moving.append(
                (
                    frequency,
                    try listener.with(window: 0.3)(mix(tone.samples, 0.1, source.noise(phase.count), 1e-3)).filter {
                        isSteady($0)
                    }
                ))
        }
        var (best, delay, missed) = (Double.infinity, 0.0, 0.0)
        for milliseconds in stride(from: 0.0, to: 60, by: 1) {
            var tally = ErrorTally()
            for (frequency, readings) in moving {
                for reading in readings {
                    tally.add(
                        reading, truth: vibrato(frequency, at: Double(reading.frame) / rate - milliseconds / 1_000))
                }
            }
            if tally.rms < best { (best, delay, missed) = (tally.rms, milliseconds, tally.missedShare) }
        }
        table.row("one partial, vibrato 30 c at 5.5 Hz, 40 dB: rms", best, atMost: 0.8, unit: "c")
        table.row("one partial, vibrato: at a delay of", delay, atMost: 12, unit: "ms")
        table.row("one partial, vibrato: missed", missed, atMost: 0, unit: "%")
    }

    private func vibrato(_ frequency: Double, at time: Double) -> Double {
        frequency * pow(2, 30 * sin(2 * .pi * 5.5 * time) / 1_200)
    }

    /// The readings of a steady tone of partials (number, amplitude) of random phase, so far over white noise.
    private func readings(
        _ frequency: Double, _ partials: [(Int, Double)], _ decibels: Double, _ source: inout SignalGenerator
    ) throws -> [PitchReading] {
        var samples = [Double](repeating: 0, count: count(1))
        let scale = 1 / (partials.reduce(0) { $0 + $1.1 * $1.1 } / 2).squareRoot()
        for (number, amplitude) in partials {
            let (step, offset) = (2 * .pi * frequency * Double(number) / rate, source.uniform(0, 2 * .pi))
            for n in samples.indices { samples[n] += scale * amplitude * cos(step * Double(n) + offset) }
        }
        return try listener.with(window: 0.3)(
            mix(samples, 0.1, source.noise(samples.count), 0.1 * pow(10, -decibels / 20))
        ).filter { isSteady($0) }
    }

    private func tally(
        _ frequency: Double, _ partials: [(Int, Double)], _ decibels: Double, _ source: inout SignalGenerator
    ) throws -> ErrorTally {
        var tally = ErrorTally()
        for reading in try readings(frequency, partials, decibels, &source) { tally.add(reading, truth: frequency) }
        return tally
    }
}
