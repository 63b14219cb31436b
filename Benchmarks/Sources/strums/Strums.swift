import ArgumentParser
import Foundation

/// Measures `StrumEngine` on generated strums and on real ones.
@main struct Strums: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the tuning of all strings of a strum, row by row.",
        discussion: """
            Generated strums: the truth is the first partial. Real strums are composites of recorded strings whose period is
            known: an error between first partial and period counts as 0, for these are two definitions of one pitch.
            """)
    @Option(help: "How many strums in a row.") var count = 50
    @Option(help: "The seed of the generator.") var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "A folder of recordings with manifest.csv and truth/*.csv.", valueName: "folder"))
    var real: String?
    @Flag(help: "One line per strum.") var verbose = false

    func run() throws {
        print("seed \(seed), \(count) strums in a row")
        var table = Table()
        try GeneratedRows(count: count, seed: seed, isVerbose: verbose).print(in: &table)
        if let real { try RealRows(folder: real, isVerbose: verbose).print(in: &table) }
        Swift.print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }
}

/// The lines that the command prints.
struct Table {
    private(set) var missed = 0

    mutating func row(_ quantity: String, _ measured: Double, atLeast limit: Double, unit: String = "%") {
        line(quantity, "at least \(text(limit)) \(unit)", "\(text(measured)) \(unit)", measured >= limit)
    }

    mutating func row(_ quantity: String, _ measured: Double, atMost limit: Double, unit: String) {
        line(quantity, "at most \(text(limit)) \(unit)", "\(text(measured)) \(unit)", measured <= limit)
    }

    private func text(_ value: Double) -> String { String(format: "%.4g", value) }

    private mutating func line(_ quantity: String, _ must: String, _ measured: String, _ isMet: Bool) {
        if !isMet { missed += 1 }
        print(pad(quantity, 54) + pad(must, 20) + pad(measured, 16) + (isMet ? "ok" : "MISSED"))
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
