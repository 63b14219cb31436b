import ArgumentParser
import Foundation
import Kernels
import Rivals

/// `bench costs`: instructions, processor time and heap calls of every kernel, and of the rivals' detectors.
struct Costs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "costs", abstract: "What the parts cost: instructions, processor time, heap calls.")
    @OptionGroup var options: MeasureOptions

    func run() throws {
        guard heapCounterCounts() else { throw ValidationError("the counter of heap calls counts nothing here") }
        let counts = try InstructionCounter().counts()
        let rivals = try InstructionCounter().counts(ofRivals: true)
        var rows: [[String]] = []
        for kernel in Kernel.all + Kernel.rivals {
            let times = try Self.processorTime(of: kernel)
            rows.append([
                kernel.name, kernel.unit, (counts[kernel.name] ?? rivals[kernel.name]).map(grouped) ?? "-",
                short(percentile(times, 0)), short(median(times)), "\(try kernel.heapCalls())",
            ])
        }
        for part in InstructionCounter.parts {
            rows.append([part.name, "call, median", counts[part.name].map(grouped) ?? "-", "-", "-", "-"])
        }
        let ours = [
            ("ours, a held note", "tracker: a held A2"),
            ("ours, two notes a second", "tracker: a new note every 0.5 s"),
            ("ours, ten notes a second", "tracker: a new note every 0.1 s"),
        ]
        let compared =
            ours.map { ($0.0, counts[$0.1] ?? .nan) }
            + Kernel.rivals.map {
                ($0.name.replacing(" samples", with: ""), rivals[$0.name] ?? .nan)
            }
        let held = compared[0].1
        let most = compared.map(\.1).max() ?? 1
        let power = pow(10, log10(most).rounded(.down))
        let step = most < 2 * power ? power / 4 : most < 5 * power ? power / 2 : 2 * power
        let chart = Chart(
            file: "cost-against-rivals.svg", title: "Instructions for one reading (256 samples)",
            x: Chart.Axis(
                "instructions", stride(from: 0, through: most * 1.05, by: step).map { $0 }, to: most * 1.05),
            y: Chart.Axis("", [0, 1]),
            series: compared.map { Chart.Series(name: $0.0, color: Chart.color(of: $0.0), points: [[$0.1]]) },
            isBars: true)
        let absent = (Aubio.isInstalled ? [] : [Aubio.howToInstall]) + (Lingot.isInstalled ? [] : [Lingot.howToInstall])
        let missing = absent.map { " " + $0 + "." }.joined()
        try Part(
            tables: [
                Part.Table(
                    title: "What the parts cost",
                    text:
                        "Instructions by callgrind (the same in every run), processor time of the thread in "
                        + "microseconds (least and median of 41 runs), heap calls in 1,000 units." + missing,
                    columns: ["", "per", "instructions", "least µs", "median µs", "heap calls"], rows: rows,
                    command: "bench costs"),
                Part.Table(
                    title: "Instructions for one reading, beside the rivals",
                    text:
                        "A reading every 256 samples at 48 kHz (lingot by itself reads 15 times a second); what a rival costs "
                        + "hardly depends on the sound, and the number behind its name is its window in samples. Ours "
                        + "has up to 14,400 and does most of its work at an attack. Ratio: over ours on a held note."
                        + missing,
                    columns: ["", "instructions", "ratio", "readings a second"],
                    rows: compared.map { [$0.0, grouped($0.1), short($0.1 / held), "187.5"] }, command: "bench costs"),
            ],
            charts: [chart],
            summary: [
                "A reading of a held note costs \(grouped(held)) instructions; of two new notes a second "
                    + "\(grouped(compared[1].1)) on average, of ten \(grouped(compared[2].1))."
            ]
        ).save(as: "costs", in: options.results)
    }

    /// Microseconds of this thread per unit, of many runs.
    private static func processorTime(of kernel: Kernel) throws -> [Double] {
        let work = try kernel.prepared()
        return (0..<41).map { _ in
            let before = threadTime()
            work(kernel.units)
            return (threadTime() - before) * 1e6 / Double(kernel.units)
        }
    }
}

/// Seconds that this thread has had of a processor.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Seconds on the clock that never jumps.
func wallTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
