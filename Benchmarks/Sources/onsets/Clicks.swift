import ArgumentParser
import Foundation

/// Measures the canceller and the detector together, with the click at several levels.
struct Clicks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the detector after the canceller, with the click in the microphone.")
    @Argument(help: "A folder of takes: the player, the click and the noise apart.") var folder: String
    @Option(parsing: .upToNextOption, help: "Levels of the click over the playing, in decibels.")
    var levels: [Double] = [-10, 0]
    @OptionGroup var limits: Limits
    @Flag(help: "Also without the canceller.") var uncancelled = false
    @Flag(help: "One line per take.") var verbose = false
    @Flag(help: "One line per onset.") var list = false

    /// Guitar, drums and piano; those with the bass; bowed and blown notes.
    private static let groups: [(name: String, instruments: Set<String>)] = [
        ("guitar", ["gtr"]), ("drums", ["drm"]), ("piano", ["pno"]), ("bass", ["bas"]),
        ("guitar+drums", ["gtr", "drm"]), ("sustained", ["vln", "flt", "tpt"]),
    ]

    func run() throws {
        let takes = try Take.all(in: folder)
        guard !takes.isEmpty else { throw ValidationError("no takes in \(folder)") }
        let constants = try limits.constants
        var table = Table()
        table.head()
        for level in levels {
            let outcomes = try takes.map { try Outcome($0, constants, level: level) }
            if list { for outcome in outcomes { outcome.list() } }
            report(outcomes, "\(Int(level)) dB", &table)
            if level == -10 || level == 0 { rows(outcomes, level, &table) }
            guard uncancelled else { continue }
            let heard = try takes.map { try Outcome($0, constants, level: level, isCancelled: false) }
            report(heard, "\(Int(level)) dB, no canceller", &table)
        }
        let silent = try takes.filter { !["vln", "flt", "tpt"].contains($0.instrument) }
            .map { try Outcome($0, constants, level: 6, isPlaying: false) }
        if list { for outcome in silent { outcome.list() } }
        table.row(
            "false notes, nobody playing, +6 dB", Score(silent).falseNotes, atMost: 0.5, unit: "a minute")
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    private func report(_ outcomes: [Outcome], _ title: String, _ table: inout Table) {
        print(title)
        if verbose { for outcome in outcomes { table.note(Score([outcome]), outcome.name) } }
        for group in Self.groups {
            table.note(Score(outcomes.filter { group.instruments.contains($0.instrument) }), group.name)
        }
    }

    private func rows(_ outcomes: [Outcome], _ level: Double, _ table: inout Table) {
        func score(_ instruments: Set<String>) -> Score {
            Score(outcomes.filter { instruments.contains($0.instrument) })
        }
        for (name, instrument) in [("guitar", "gtr"), ("drums", "drm"), ("piano", "pno")] {
            let score = score([instrument])
            table.row("\(Int(level)) dB: precision, \(name)", score.precision, atLeast: 0.99)
            table.row("\(Int(level)) dB: recall, \(name)", score.recall, atLeast: level < 0 ? 0.98 : 0.97)
        }
        table.row(
            "\(Int(level)) dB: error p95, guitar + drums", score(["gtr", "drm"]).p95Absolute, atMost: 1.5, unit: "ms")
        table.row("\(Int(level)) dB: error p95 from its bias, piano", score(["pno"]).p95, atMost: 3, unit: "ms")
        let bass = score(["bas"])
        table.row("\(Int(level)) dB: recall, bass", bass.recall, atLeast: 0.9)
        table.row("\(Int(level)) dB: error p95, bass", bass.p95Absolute, atMost: 8, unit: "ms")
    }
}
