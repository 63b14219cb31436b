import ArgumentParser
import Foundation
import WellTempered

// Measures the onset detector on the sound that `Benchmarks/onset-sounds` makes:
//
//     python3 onset-sounds/generate.py --seed 1000 --takes-seed 3 --sound-font FluidR3_GM.sf2 /tmp/onsets
//     swift run -c release onsets /tmp/onsets/clean
//     swift run -c release onsets /tmp/onsets/noisy --noisy
//     swift run -c release onsets clicks /tmp/onsets/takes
//     swift run -c release onsets paths
//     swift run -c release onsets slurs
//     swift run -c release onsets cost

@main struct Onsets: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the onset detector and the click canceller: what each quantity must be and what it is.",
        subcommands: [Alone.self, Clicks.self, Paths.self, Slurs.self, Cost.self], defaultSubcommand: Alone.self)
}

struct Alone: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures the detector without a click.")
    @Argument(help: "A folder of NAME_N.wav with the true onsets in NAME_N.csv, in seconds.") var folder: String
    @Flag(help: "The sounds have noise and reverberation: other figures are asked for.") var noisy = false
    @OptionGroup var limits: Limits
    @Flag(help: "One line per instrument.") var verbose = false
    @Flag(help: "One line per onset.") var list = false

    func run() throws {
        let files = try SoundWithOnsets.all(in: folder)
        guard !files.isEmpty else { throw ValidationError("no sounds with onsets in \(folder)") }
        var outcomes: [Outcome] = []
        for file in files {
            let outcome = try Outcome(file, limits.constants)
            outcomes.append(outcome)
            if list { outcome.list() }
        }
        var table = Table()
        table.head()
        if verbose {
            for name in Set(files.map(\.instrument)).sorted() {
                table.note(Score(outcomes.filter { $0.instrument == name }), name)
            }
        }
        let score = { (family: Family) in Score(outcomes.filter { Family(instrument: $0.instrument) == family }) }
        for family in Family.allCases { table.note(score(family), family.rawValue) }
        let (percussive, plucked, sustained) = (score(.percussive), score(.plucked), score(.sustained))
        table.row("F at 50 ms, percussive", percussive.f, atLeast: noisy ? 0.98 : 0.99)
        table.row("F at 50 ms, plucked", plucked.f, atLeast: noisy ? 0.98 : 0.985)
        if !noisy {
            table.row("F at 50 ms, sustained", sustained.f, atLeast: 0.93)
            table.row("sigma, percussive", percussive.sigma, atMost: 0.3, unit: "ms")
            table.row("sigma, plucked", plucked.sigma, atMost: 0.4, unit: "ms")
            table.row("bias, percussive", abs(percussive.bias), atMost: 0.3, unit: "ms")
            table.row("bias, plucked", abs(plucked.bias), atMost: 0.3, unit: "ms")
            table.row("95th percentile, percussive", percussive.p95, atMost: 1, unit: "ms")
            let all = Score(outcomes)
            table.row("first report, median", all.firstDelay(0.5), atMost: 8, unit: "ms")
            table.row("refined report, median", all.finalDelay(0.5), atMost: 25, unit: "ms")
        }
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }
}
