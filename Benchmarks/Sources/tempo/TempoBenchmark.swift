import ArgumentParser
import Foundation
@_spi(Measurement) import Rhythm
import WellTempered

// Measures the beat tracker on the sound that `Benchmarks/beat-sounds` makes:
//
//     python3 beat-sounds/generate.py --seed 1000 --sound-font FluidR3_GM.sf2 /tmp/beats
//     swift run -c release tempo /tmp/beats
//     swift run -c release tempo real FOLDER
//     swift run -c release tempo cost

@main struct TempoBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tempo",
        abstract: "Measures the beat tracker: what each quantity must be and what it is.",
        subcommands: [Known.self, Real.self, Cost.self], defaultSubcommand: Known.self)
}

struct Known: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Measures it on beats that are known to the sample.")
    @Argument(help: "A folder of FAMILY_NAME.wav with the beats in FAMILY_NAME.csv, in seconds.") var folder: String
    @OptionGroup var limits: Limits
    @Flag(help: "One line per recording.") var verbose = false
    @Flag(name: .customLong("no-hint"), help: "Leave out what it makes of them with a hint.") var isWithoutHint = false
    @Option(help: "Write the beats told, NAME.csv each, into this folder, and into its folder hint those with a hint.")
    var output: String?

    func run() throws {
        let recordings = try PlayedBeats.all(in: folder)
        guard !recordings.isEmpty else { throw ValidationError("no recordings with beats in \(folder)") }
        let constants = try limits.constants
        let alone = try recordings.map { try Outcome($0, isHinted: false, constants) }
        let hinted = try isWithoutHint ? [] : recordings.map { try Outcome($0, isHinted: true, constants) }
        if let output {
            try write(alone, into: output)
            try write(hinted, into: output + "/hint")
        }
        var table = Table()
        for (title, outcomes) in [("no hint", alone), ("with a hint", hinted)] where !outcomes.isEmpty {
            table.head(title)
            for family in Set(recordings.map(\.family)).sorted() {
                table.note(Group(outcomes: outcomes.filter { $0.recording.family == family }), family)
            }
            table.note(Group(outcomes: outcomes), "all")
            if verbose { for outcome in outcomes { table.note(outcome) } }
        }
        let (all, hint) = (Group(outcomes: alone), Group(outcomes: hinted))
        let steady = Group(outcomes: alone.filter { $0.recording.family == "steady" })
        table.row("F", all.f, atLeast: 0.9)
        table.row("AMLt", all.amlt, atLeast: 0.965)
        if !isWithoutHint { table.row("CMLt with a hint", hint.cmlt, atLeast: 0.985) }
        table.row("bias of the beats", abs(all.bias), atMost: 2, unit: "ms")
        table.row("sigma of the beats", all.sigma, atMost: 4, unit: "ms")
        table.row("tempo after 20 s steady, median", steady.tempoError(0.5), atMost: 0.01, unit: "%")
        table.row("lock, median of those that lock", all.lock, atMost: 2, unit: "s")
        if !isWithoutHint {
            table.row("lock with a hint, share of all", Double(hint.locked) / Double(recordings.count), atLeast: 1)
        }
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    private func write(_ outcomes: [Outcome], into folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for outcome in outcomes {
            let lines = outcome.beats.map { String(format: "%.6f\n", $0.frame / outcome.recording.rate) }.joined()
            try lines.write(toFile: "\(folder)/\(outcome.recording.name).csv", atomically: true, encoding: .utf8)
        }
    }
}
