import Foundation
import WellTempered

// Which octave is heard where other strings ring along.
extension SyntheticRows {
    /// Plucked notes over open strings that ring in sympathy, all of them near multiples of one low frequency; and low
    /// notes with a formant at one of their upper partials, so that a detector that rejects low notes fails.
    func ringing(_ table: inout Table) throws {
        var source = generator(7)
        var (notes, lows) = (ErrorTally(), ErrorTally())
        for index in 0..<max(20, tones * 2 / 5) {
            let isLow = index % 2 == 1
            let multiple = 3 + Int(source.uniform(0, 7.99))
            let frequency = source.logUniform(max(110, 28 * Double(multiple)), 700)
            let low = frequency / Double(multiple)
            let sound = isLow ? formant(low, at: multiple, &source) : strings(frequency, over: low, &source)
            let silence = [Double](repeating: 0, count: count(0.1 + source.uniform(0, 0.0107)))
            let signal = mix(silence + sound, 0.1, source.noise(silence.count + sound.count), 1e-4)
            var own = ErrorTally()
            for reading in try listener.with(window: 0.3)(signal)
            where isSteady(reading, since: Double(silence.count) / rate) {
                own.add(reading, truth: isLow ? low : frequency)
            }
            if isLow { lows.add(own) } else { notes.add(own) }
            if own.gross + own.missed > 0 {
                tell(
                    String(
                        format: "%@ %8.2f Hz / %d: %d gross, %d missed of %d", isLow ? "formant" : "ringing", frequency,
                        multiple, own.gross, own.missed, own.readings))
            }
        }
        table.note("notes over ringing strings: gross", String(format: "%.3g %%", notes.grossShare))
        table.note("notes over ringing strings: missed", String(format: "%.3g %%", notes.missedShare))
        table.row("low notes with a formant: gross", lows.grossShare, atMost: 0.7, unit: "%")
        table.note("low notes with a formant: missed", String(format: "%.3g %%", lows.missedShare))
    }

    /// A decaying note of 12 partials, and two or three strings at other multiples of `low`, a few cents off, whose own
    /// partials fall off fast; together 6 to 20 dB below the note.
    private func strings(_ frequency: Double, over low: Double, _ source: inout SignalGenerator) -> [Double] {
        let multiple = Int((frequency / low).rounded())
        let seconds = source.uniform(1, 3)
        let note = decaying(
            (1...12).map { (frequency * Double($0), pow(Double($0), -1.3)) }, seconds: seconds, &source)
        var lines: [(Double, Double)] = []
        for _ in 0..<(source.uniform() < 0.5 ? 2 : 3) {
            var number = 0
            while number == 0 || number % multiple == 0 { number = 2 + Int(source.uniform(0, Double(multiple) - 1.01)) }
            let open = low * Double(number) * pow(2, source.uniform(-4, 4) / 1_200)
            let level = source.uniform(0.4, 1)
            for k in 1...5 { lines.append((open * Double(k), level * pow(Double(k), -3.5))) }
        }
        let others = decaying(lines, seconds: seconds, &source)
        let gain = pow(10, -source.uniform(6, 20) / 20)
        return zip(note, others).map { $0 + gain * $1 }
    }

    /// A decaying low note with 15 dB more around partial `multiple`.
    private func formant(_ low: Double, at multiple: Int, _ source: inout SignalGenerator) -> [Double] {
        let partials = (1...min(60, Int(0.4 * rate / low))).map { k -> (Double, Double) in
            let distance = Double(k - multiple) / max(1, 0.25 * Double(multiple))
            return (low * Double(k), (1 + 4.6 * exp(-distance * distance)) * pow(Double(k), -1))
        }
        return decaying(partials, seconds: source.uniform(1, 3), &source)
    }

    /// Partials (hertz, amplitude) of random phase that fall by 60 dB in `seconds`, of root mean square 1 at first.
    private func decaying(
        _ partials: [(Double, Double)], seconds: Double, _ source: inout SignalGenerator
    ) -> [Double] {
        var samples = [Double](repeating: 0, count: count(1.2))
        for (frequency, amplitude) in partials {
            let offset = source.uniform(0, 2 * .pi)
            for n in samples.indices {
                let t = Double(n) / rate
                samples[n] += amplitude * cos(2 * .pi * frequency * t + offset)
            }
        }
        let power = partials.reduce(0) { $0 + $1.1 * $1.1 / 2 }
        for n in samples.indices {
            let t = Double(n) / rate
            samples[n] *= exp(-6.91 * t / seconds) * min(1, t / 0.002) / power.squareRoot()
        }
        return samples
    }
}
