import ArgumentParser
import Figures
import Foundation
import Kernels
import Rivals

/// `bench lock`: how long after an attack the readings stay right, for every note from B0 to C8.
struct LockTimes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Time from an attack to readings within 5 and 1 cents, B0 to C8.")
    @OptionGroup var options: MeasureOptions
    @Option(help: "Attacks per note.") var attacks = 3

    /// MIDI's numbers of B0 and C8.
    private static let notes = 23...108

    private struct Attack {
        let note: Int
        let tone: TestTone
        let onset: Int
        let sound: [Float]
    }

    func run() throws {
        var source = SeededNumbers(seed: 30)
        let all = Self.notes.flatMap { note in
            (0..<attacks).map { round in
                var tone = TestTone(frequency: 440 * pow(2, (Double(note - 69) + source.uniform(-0.4, 0.4)) / 12))
                (tone.seed, tone.partials) = (UInt64(1_000 * round + note), 40)
                // An attack may fall anywhere between two readings.
                let onset = 12_000 + Int(source.uniform(0, 256))
                return Attack(note: note, tone: tone, onset: onset, sound: tone.block(30_000, after: onset))
            }
        }
        let (ears, missing) = options.ears(aubio: Aubio.windows)
        // On the short window ours locks as on the long one: it begins at the attack.
        let shown = ears.filter { $0.name != "ours, 4096" }
        let shownNotes = [23, 28, 40, 57, 69, 84, 108]
        var rows: [[String]] = []
        var series: [Chart.Series] = []
        var summary: [String] = []
        for (index, ear) in shown.enumerated() {
            let heard = try ear.listen(all.map(\.sound))
            let five = zip(all, heard).map { Self.lock($0, $1, within: 5) }
            let one = zip(all, heard).map { Self.lock($0, $1, within: 1) }
            let periods = zip(all, five).map { $0.tone.frequency * $1 / 1_000 }
            let low = zip(all, periods).filter { $0.0.tone.frequency < 100 }.map(\.1)
            func of(_ note: Int) -> String { short(median(zip(all, five).filter { $0.0.note == note }.map(\.1))) }
            rows.append(
                [ear.name + (ear.isOffline ? " (offline)" : ""), short(median(five)), short(percentile(five, 0.9))]
                    + shownNotes.map(of)
                    + [short(median(low)), "\(five.count { !$0.isFinite })", short(median(one))]
                    + [short(percentile(one, 0.9)), "\(one.count { !$0.isFinite })"])
            if index == 0 {
                // The same in periods of the note.
                func inPeriods(_ note: Int) -> String {
                    short(median(zip(all, periods).filter { $0.0.note == note }.map(\.1)))
                }
                let oneInPeriods = zip(all, one).map { $0.tone.frequency * $1 / 1_000 }
                rows.append(
                    ["ours, in periods", short(median(periods)), short(percentile(periods, 0.9))]
                        + shownNotes.map(inPeriods) + [short(median(low)), "", short(median(oneInPeriods))]
                        + [short(percentile(oneInPeriods, 0.9)), ""])
                summary.append(
                    "Onset to the first reading that stays within 5 cents, B0 to C8: median \(short(median(five))) ms, "
                        + "nine of ten within \(short(percentile(five, 0.9))) ms, B0 \(of(23)) ms; within 1 cent: "
                        + "median \(short(median(one))) ms. Never within 5 cents: \(five.count { !$0.isFinite }) "
                        + "of \(five.count).")
            }
            // lingot's would cross all others: most of its readings come later than the picture reaches.
            guard !ear.isOffline, !ear.name.hasPrefix("lingot") else { continue }
            var times = Self.notes.map { note in median(zip(all, five).filter { $0.0.note == note }.map(\.1)) }
            // Of each method at each note the best of its windows.
            let method = String(ear.name.prefix { $0 != "," })
            if series.last?.name == method, let others = series.popLast() {
                times = zip(times, others.points).map { min($0, $1[1]) }
            }
            let points = zip(Self.notes, times).map { [Double($0), $1] }
            series.append(Chart.Series(name: method, color: Chart.color(of: method), points: points))
        }
        series.append(
            Chart.Series(
                name: "two periods", color: -1,
                points: Self.notes.map { [Double($0), 2_000 / (440 * pow(2, Double($0 - 69) / 12))] }))
        let octaves = (1...8).map { Chart.Tick(value: Double(12 + 12 * $0), label: "C\($0)") }
        let chart = Chart(
            file: "lock-against-note.svg", title: "From the attack to readings that stay within 5 cents (gaps: never)",
            x: Chart.Axis("note", [Chart.Tick(value: 23, label: "B0")] + octaves.dropFirst(), from: 23, to: 108),
            y: Chart.Axis("milliseconds", [0, 20, 40, 60, 80, 100, 120, 140].map(Double.init)), series: series)
        try Part(
            tables: [
                Part.Table(
                    title: "From the attack to a reading, per note",
                    text:
                        "Milliseconds from the first sample of a note to the last sample under the first reading from "
                        + "which on all are within 5 (or 1) cents, for \(attacks) attacks on each note from B0 to C8 "
                        + "(rise of 2 ms, partials 1/k, 60 dB over noise). By note: median of its attacks. \"periods\": "
                        + "median below 100 Hz. Offline: as if it were read as soon as its window is full. The number behind "
                        + "aubio's name is its window in samples; the plot gives each of its methods at every note the "
                        + "best of the three. The median in the tracker's table below is another: its 14 notes, B0 to "
                        + "E6, lie lower, half of them under 150 Hz. "
                        + missing.map { $0 + ". " }.joined(),
                    columns: [
                        "", "5 c median", "5 c p90", "B0", "E1", "E2", "A3", "A4", "C6", "C8", "periods", "never",
                        "1 c median", "1 c p90", "never",
                    ], rows: rows, command: "bench lock")
            ],
            charts: [chart], summary: summary
        ).save(as: "lock", in: options.results)
    }

    /// Milliseconds; infinite for never.
    private static func lock(_ attack: Attack, _ heard: [Heard], within cents: Double) -> Double {
        var locked = Double.infinity
        // The end belongs to nobody: an offline window would reach beyond it.
        for reading in heard where reading.frame > attack.onset && reading.frame <= attack.sound.count - 2_048 {
            let isRight =
                reading.hertz > 0 && abs(1_200 * log2(reading.hertz / attack.tone.frequency)) <= cents
            if !isRight { locked = .infinity } else if !locked.isFinite { locked = Double(reading.frame) }
        }
        return 1_000 * (locked - Double(attack.onset)) / Ear.rate
    }
}
