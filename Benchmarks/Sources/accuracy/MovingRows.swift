import Foundation
import WellTempered

// What moves: vibrato and glides.
extension SyntheticRows {
    /// Vibrato of ±30 cents at 5.5 Hz and glides of a semitone per second: the error at the best fixed delay.
    func moving(_ table: inout Table) throws {
        var source = generator(6)
        var (vibrato, glide): ([(Double, [PitchReading])], [(Double, Double, [PitchReading])]) = ([], [])
        for index in 0..<max(10, tones * 3 / 20) {
            let frequency = source.logUniform(70, 1_500)
            let slope = index % 4 == 1 ? 100.0 : -100
            var (phase, sum) = ([Double](), 0.0)
            for n in 0..<count(3) {
                let t = Double(n) / rate
                let cents = index % 2 == 0 ? 30 * sin(2 * .pi * 5.5 * t) : slope * t
                sum += 2 * .pi * frequency * pow(2, cents / 1_200) / rate
                phase.append(sum)
            }
            let tone = source.tone(phase: phase, highest: frequency * 1.2, slope: source.uniform(0.7, 1.5))
            let readings = try listener.with(window: 0.3)(mix(tone.samples, 0.1, source.noise(phase.count), 1e-4))
                .filter { isSteady($0) }
            if index % 2 == 0 {
                vibrato.append((frequency, readings))
            } else {
                glide.append((frequency, slope, readings))
            }
        }
        var (best, delay) = (Double.infinity, 0.0)
        for milliseconds in stride(from: 0.0, to: 60, by: 1) {
            var tally = ErrorTally()
            for (frequency, readings) in vibrato {
                for reading in readings {
                    let t = Double(reading.frame) / rate - milliseconds / 1_000
                    tally.add(reading, truth: frequency * pow(2, 30 * sin(2 * .pi * 5.5 * t) / 1_200))
                }
            }
            if tally.rms < best { (best, delay) = (tally.rms, milliseconds) }
        }
        for (frequency, readings) in vibrato {
            var own = ErrorTally()
            for reading in readings {
                let t = Double(reading.frame) / rate - delay / 1_000
                own.add(reading, truth: frequency * pow(2, 30 * sin(2 * .pi * 5.5 * t) / 1_200))
            }
            tell(
                String(
                    format: "vibrato %8.2f Hz: rms %.3f c, mean %+.3f c, worst %.2f c, %d gross, %d missed, %d samples",
                    frequency, own.rms, own.good.reduce(0, +) / Double(max(1, own.good.count)), own.percentile(1),
                    own.gross, own.missed, readings.last?.window ?? 0))
        }
        table.row("vibrato 30 c at 5.5 Hz: rms", best, atMost: 0.8, unit: "c")
        table.row("vibrato: at a delay of", delay, atMost: 12, unit: "ms")
        best = .infinity
        for milliseconds in stride(from: 0.0, to: 200, by: 2) {
            var tally = ErrorTally()
            for (frequency, slope, readings) in glide {
                for reading in readings {
                    let t = Double(reading.frame) / rate - milliseconds / 1_000
                    tally.add(reading, truth: frequency * pow(2, slope * t / 1_200))
                }
            }
            if tally.rms < best { (best, delay) = (tally.rms, milliseconds) }
        }
        table.note("glides of 100 c/s: rms", String(format: "%.3g c", best))
        table.note("glides: at a delay of", String(format: "%.0f ms", delay))
    }
}
