import Foundation
import WellTempered

// What a room adds: mains hum, rumble, and notes over them.
extension SyntheticRows {
    func rooms(_ table: inout Table) throws {
        var source = generator(10)
        var (hum, rumble) = ([Bool](), [Bool]())
        for decibels in [-35.0, -45, -55, -65] {
            for mains in [50.0, 60] {
                let sound = mix(
                    mainsHum(mains, seconds: 3, &source), pow(10, decibels / 20), source.noise(count(3)), 1e-4)
                hum += try listener.with(window: 0.3)(sound).map { $0.state == .voiced }
            }
            let sound = mix(
                self.rumble(seconds: 3, &source), pow(10, decibels / 20), source.noise(count(3)), 1e-4)
            rumble += try listener.with(window: 0.3)(sound).map { $0.state == .voiced }
        }
        func share(_ values: [Bool]) -> Double { 100 * Double(values.count { $0 }) / Double(max(1, values.count)) }
        table.row("mains hum of -35 to -65 dB: told as a note", share(hum), atMost: 1, unit: "%")
        table.row("rumble of 15 to 40 Hz: told as a note", share(rumble), atMost: 1, unit: "%")
        var right: [Bool] = []
        for index in 0..<max(12, tones / 5) {
            let level = pow(10, source.uniform(-60, -40) / 20)
            let frequency = source.logUniform(82, 1_000)
            let tone = source.tone(
                phase: source.steadyPhase(frequency, count: count(1.2)), highest: frequency, slope: 1, partials: 20)
            let silence = [Double](repeating: 0, count: count(0.8))
            let rise = 0.005 * rate
            let note = silence + tone.samples.enumerated().map { $1 * min(1, Double($0) / rise) }
            let hum = mainsHum(index % 2 == 0 ? 50 : 60, seconds: 2, &source)
            // The note lies 10 dB over the hum.
            let sound = mix(note, level * pow(10, 0.5), zip(hum, source.noise(hum.count)).map { $0 + 0.01 * $1 }, level)
            let own = try listener.with(window: 0.3)(sound).filter { isSteady($0, since: 0.6) }.map {
                $0.state == .voiced && abs(1_200 * log2($0.frequency.value / frequency)) < 50
            }
            if own.contains(false) { tell("over hum: \(frequency) Hz, \(share(own)) % right") }
            right += own
        }
        table.note("notes 10 dB over hum: right", String(format: "%.3g %%", share(right)))
    }

    /// A mains frequency and its multiples, of root mean square 1.
    private func mainsHum(_ frequency: Double, seconds: Double, _ source: inout SignalGenerator) -> [Double] {
        let lines = [(1.0, 1.0), (2, 0.5), (3, 0.3), (4, 0.1), (5, 0.2)].map {
            ($0.0 * frequency * 1.0005, $0.1, source.uniform(0, 2 * .pi))
        }
        return sum(lines, seconds: seconds)
    }

    /// A band of noise from 15 to 40 Hz, of root mean square 1.
    private func rumble(seconds: Double, _ source: inout SignalGenerator) -> [Double] {
        let lines = (0..<100).map { _ in (source.uniform(15, 40), source.normal(), source.uniform(0, 2 * .pi)) }
        return sum(lines, seconds: seconds)
    }

    private func sum(_ lines: [(frequency: Double, amplitude: Double, phase: Double)], seconds: Double) -> [Double] {
        let power = lines.reduce(0) { $0 + $1.amplitude * $1.amplitude / 2 }.squareRoot()
        return (0..<count(seconds)).map { n in
            let t = 2 * .pi * Double(n) / rate
            return lines.reduce(0) { $0 + $1.amplitude * cos(t * $1.frequency + $1.phase) } / power
        }
    }
}
