import Foundation
import RealNotes
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
        try wide(&table, &source)
        table.note("glides of 100 c/s: rms", String(format: "%.3g c", best))
        table.note("glides: at a delay of", String(format: "%.0f ms", delay))
    }

    /// Wide vibrato on a low note, how far the standard error of moving notes tells, and leaps without an attack.
    private func wide(_ table: inout Table, _ source: inout SignalGenerator) throws {
        var (missed, all, honest, told) = (0, 0, 0, 0)
        for _ in 0..<max(4, tones / 40) {
            let rhythm = source.uniform(4, 8)
            func pitch(_ t: Double) -> Double { 110 * pow(2, 80 * sin(2 * .pi * rhythm * t) / 1_200) }
            for reading in try heard(pitch, seconds: 2, &source) where isSteady(reading) {
                all += 1
                guard reading.state == .voiced else {
                    missed += 1
                    continue
                }
                told += 1
                let cents = abs(1_200 * log2(reading.frequency.value / pitch(Double(reading.frame) / rate - 0.01)))
                if cents <= 2 * reading.standardError.value { honest += 1 }
            }
        }
        table.note("vibrato 80 c on 110 Hz: missed", String(format: "%.3g %%", 100 * Double(missed) / Double(all)))
        table.note(
            "vibrato 80 c on 110 Hz: within 2 standard errors",
            String(format: "%.3g %%", 100 * Double(honest) / Double(max(1, told))))
        var held: [Double] = []
        for _ in 0..<max(8, tones / 10) {
            let low = source.logUniform(110, 660)
            let high = low * pow(2, source.uniform(3, 12) / 12)
            let (before, after) = source.uniform() < 0.5 ? (low, high) : (high, low)
            let readings = try heard({ $0 < 0.7 ? before : after }, seconds: 1.2, &source)
            let last = readings.last {
                $0.state == .voiced && abs(1_200 * log2($0.frequency.value / before)) < 50
            }
            held.append(1_000 * max(0, Double(last?.frame ?? 0) / rate - 0.7))
        }
        table.note("leaps without an attack: old pitch held, median", String(format: "%.0f ms", percentile(held, 0.5)))
    }

    /// The readings of a tone of 20 partials 60 dB over noise whose pitch is a function of time.
    private func heard(
        _ pitch: (Double) -> Double, seconds: Double, _ source: inout SignalGenerator
    ) throws -> [PitchReading] {
        var (phase, sum, highest) = ([Double](), 0.0, 0.0)
        for n in 0..<count(seconds) {
            let hertz = pitch(Double(n) / rate)
            highest = max(highest, hertz)
            sum += 2 * .pi * hertz / rate
            phase.append(sum)
        }
        let tone = source.tone(phase: phase, highest: highest, slope: 1, partials: 20)
        return try listener.with(window: 0.3)(mix(tone.samples, 0.1, source.noise(phase.count), 1e-4))
    }
}
