import Foundation
import RealNotes
import WellTempered

/// Everything measured on generated sound.
struct SyntheticRows {
    let listener: Listener
    let seed: UInt64
    let tones: Int
    var isVerbose = false
    var rate: Double { listener.rate }
    func generator(_ number: UInt64) -> SignalGenerator {
        SignalGenerator(seed: seed &* 1_000 &+ number, rate: rate)
    }
    func count(_ seconds: Double) -> Int { Int(seconds * rate) }
    func tell(_ line: String) {
        if isVerbose { print("    " + line) }
    }
    /// A reading counts as steady 0.35 s after the beginning.
    func isSteady(_ reading: PitchReading, since: Double = 0) -> Bool {
        Double(reading.frame) / rate >= since + 0.35
    }

    /// Tones from A0 to C8, clean and in white noise (over the whole band, against the whole tone's power).
    func steady(_ table: inout Table) throws {
        var source = generator(1)
        var tallies: [Int: ErrorTally] = [:]
        var (honest, counted) = ([Int: Int](), [Int: Int]())
        for _ in 0..<tones {
            let frequency = source.logUniform(27.5, 4_186)
            let tone = source.tone(
                phase: source.steadyPhase(frequency, count: count(1)), highest: frequency,
                slope: source.uniform(0.5, 2),
                withoutFundamental: source.uniform() < 0.15)
            let noise = source.noise(count(1))
            for decibels in [200, 40, 30, 20, 10, 0] {
                let sigma = decibels == 200 ? 0 : pow(10, -Double(decibels) / 20)
                let signal = mix(tone.samples, 0.1, noise, 0.1 * sigma)
                var own = ErrorTally()
                for reading in try listener(signal) where isSteady(reading) {
                    tallies[decibels, default: ErrorTally()].add(reading, truth: frequency)
                    own.add(reading, truth: frequency)
                    if decibels != 200, reading.state == .voiced {
                        counted[decibels, default: 0] += 1
                        let cents = abs(1_200 * log2(reading.frequency.value / frequency))
                        if cents <= 2 * reading.standardError.value { honest[decibels, default: 0] += 1 }
                    }
                }
                if own.gross + own.missed > 0 {
                    tell(
                        String(
                            format: "%d dB: %8.2f Hz  %d gross, %d missed of %d", decibels, frequency, own.gross,
                            own.missed, own.readings))
                }
            }
        }
        func tally(_ decibels: Int) -> ErrorTally { tallies[decibels] ?? ErrorTally() }
        table.row("clean tones 27.5-4186 Hz: p95", tally(200).percentile(0.95), atMost: 0.005, unit: "c")
        table.row("clean tones: gross and missed", tally(200).grossShare + tally(200).missedShare, atMost: 0, unit: "%")
        for (decibels, limit) in [(20, 0.0), (10, 0.0), (0, 0.5)] {
            table.row("\(decibels) dB: gross", tally(decibels).grossShare, atMost: limit, unit: "%")
            table.row(
                "\(decibels) dB: gross and missed", tally(decibels).grossShare + tally(decibels).missedShare,
                atMost: limit, unit: "%")
        }
        for decibels in [40, 30, 20, 10, 0] {
            let share = 100 * Double(honest[decibels] ?? 0) / Double(max(1, counted[decibels] ?? 0))
            table.row("\(decibels) dB: true error within 2 standard errors", share, from: 90, to: 99, unit: "%")
        }
    }

    /// White, pink and brown noise, loud and soft.
    func noises(_ table: inout Table) throws {
        var source = generator(2)
        for (name, exponent) in [("white", 0.0), ("pink", 1.0), ("brown", 2.0)] {
            var (voiced, all) = (0, 0)
            for gain in [0.1, 0.003] {
                let noise = source.colored(exponent, count: count(5)).map { Float(gain * $0) }
                for reading in try listener(noise) {
                    all += 1
                    if reading.state == .voiced { voiced += 1 }
                }
            }
            table.row("\(name) noise: voiced", 100 * Double(voiced) / Double(all), atMost: 1, unit: "%")
        }
    }

    /// Stiff plucked strings, B1 to E4, B from 1e-5 to 5e-4.
    func plucks(_ table: inout Table) throws {
        var source = generator(3)
        var (medium, long) = (ErrorTally(), ErrorTally())
        for _ in 0..<max(15, tones * 3 / 10) {
            let frequency = source.logUniform(30.868, 329.63)
            let stiffness = source.logUniform(1e-5, 5e-4)
            let silence = 0.2 + source.uniform(0, 0.0107)
            let string = source.pluck(frequency: frequency, stiffness: stiffness, seconds: 2)
            let signal = [Double](repeating: 0, count: count(silence)) + string
            let samples = mix(signal, 0.1, source.noise(signal.count), 1e-4)
            let truth = frequency * (1 + stiffness).squareRoot()
            var (brief, own) = (ErrorTally(), ErrorTally())
            for reading in try listener(samples) where isSteady(reading, since: silence) {
                brief.add(reading, truth: truth)
            }
            medium.add(brief)
            var stiffnesses: [Double] = []
            for reading in try listener.with(window: 0.3)(samples) where isSteady(reading, since: silence) {
                long.add(reading, truth: truth)
                own.add(reading, truth: truth)
                stiffnesses.append(reading.inharmonicity)
            }
            tell(
                String(
                    format: "pluck %8.2f Hz B %.2e: found B %.2e, median %.4f c, p95 %.3f c, last %.4f c; "
                        + "85 ms: %.4f c, p95 %.3f c",
                    frequency, stiffness, percentile(stiffnesses, 0.5), own.percentile(0.5), own.percentile(0.95),
                    own.good.last ?? .infinity, brief.percentile(0.5), brief.percentile(0.95)))
        }
        table.row("plucks, 85 ms window: median", medium.percentile(0.5), atMost: 0.05, unit: "c")
        table.row("plucks, 85 ms window: p95", medium.percentile(0.95), atMost: 0.5, unit: "c")
        table.row("plucks, 0.3 s window: median", long.percentile(0.5), atMost: 0.01, unit: "c")
        table.row("plucks, 0.3 s window: p95", long.percentile(0.95), atMost: 0.15, unit: "c")
        table.row("plucks: gross", medium.grossShare + long.grossShare, atMost: 0, unit: "%")
        table.note("plucks: missed", String(format: "%.3g %%", medium.missedShare))
    }

    /// How soon after an attack the readings stay within 5 and 1 cents.
    func lock(_ table: inout Table) throws {
        var source = generator(4)
        let notes = [
            30.868, 41.203, 55, 73.416, 82.407, 110, 146.83, 196, 246.94, 329.63, 440, 659.26, 880, 1_318.5,
        ]
        var (five, one, lowest): ([Double], [Double], [Double]) = ([], [], [])
        for round in 0..<(tones >= 200 ? 3 : 1) {
            for note in notes {
                let frequency = note * pow(2, source.uniform(-40, 40) / 1_200)
                let before = count(0.25) + Int(source.uniform(0, 512 * rate / 48_000))
                let ramp = 0.002 * rate
                let tone = source.tone(
                    phase: source.steadyPhase(frequency, count: count(1)), highest: frequency,
                    slope: source.uniform(0.7, 1.5)
                ).samples.enumerated().map { $1 * min(1, Double($0) / ramp) }
                let signal = [Double](repeating: 0, count: before) + tone
                let readings = try listener.with(window: 0.3)(mix(signal, 0.1, source.noise(signal.count), 1e-4))
                    .filter { $0.frame >= before }
                five.append(lockTime(readings, frequency, within: 5, since: before))
                one.append(lockTime(readings, frequency, within: 1, since: before))
                tell(
                    String(
                        format: "attack %8.2f Hz: 5 c %.1f ms, 1 c %.1f ms, %.2f periods", frequency,
                        five[five.count - 1], one[one.count - 1], five[five.count - 1] * frequency / 1_000))
                if note == notes[0] { lowest.append(five[five.count - 1]) }
            }
            _ = round
        }
        table.row("lock within 5 c: median", percentile(five, 0.5), atMost: 15, unit: "ms")
        table.row("lock within 5 c: p90", percentile(five, 0.9), atMost: 50, unit: "ms")
        table.row("lock within 5 c: B0", percentile(lowest, 1), atMost: 65, unit: "ms")
        table.row("lock within 5 c: never", Double(five.count { $0 == .infinity }), atMost: 0, unit: "notes")
        table.row("lock within 1 c: median", percentile(one, 0.5), atMost: 20, unit: "ms")
    }

    private func lockTime(_ readings: [PitchReading], _ truth: Double, within cents: Double, since: Int) -> Double {
        var locked = Double.infinity
        for reading in readings {
            let isRight =
                reading.state == .voiced && abs(1_200 * log2(reading.frequency.value / truth)) <= cents
            if !isRight { locked = .infinity } else if locked == .infinity { locked = Double(reading.frame) }
        }
        return 1_000 * (locked - Double(since)) / rate
    }

    /// The lowest tone (12 partials, 30 dB) whose readings are right on an 85 ms window.
    func lowest(_ table: inout Table) throws {
        var source = generator(5)
        var found = Double.infinity
        for frequency in [80, 60, 48, 40, 33, 29, 27.5, 26, 25, 24, 23, 22, 21, 20.0] {
            let tone = source.tone(
                phase: source.steadyPhase(frequency, count: count(1)), highest: frequency, slope: 1, partials: 12)
            var tally = ErrorTally()
            for reading in try listener(mix(tone.samples, 0.05, source.noise(count(1)), 0.0016)) where isSteady(reading)
            {
                tally.add(reading, truth: frequency)
            }
            if tally.grossShare + tally.missedShare > 2 { break }
            found = frequency
        }
        table.row("lowest tone on an 85 ms window", found, atMost: 22, unit: "Hz")
    }
}
