import ArgumentParser
import BarDetection
import Figures
import Foundation

// Measures the bar detector on the pages that `Benchmarks/score-pages` engraves:
//
//     python3 score-pages/generate.py --seed 2026 /tmp/pages
//     python3 score-pages/generate.py --seed 2026 --dpi 100 /tmp/coarse
//     python3 score-pages/musescore.py --seed 3 /tmp/musescore
//     swift run -c release bars /tmp/pages --coarse /tmp/coarse --musescore /tmp/musescore

@main struct Bars: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bars", abstract: "Measures the bar detector: what each quantity must be and what it is.")
    @Argument(help: "A folder of pages of 150 dpi, NAME.png, with the truth in NAME.csv.") var folder: String
    @Option(help: "The same at 100 dpi.") var coarse: String?
    @Option(help: "Pages that MuseScore has engraved.") var musescore: String?
    @Option(help: "Of the noise.") var seed: UInt64 = 1
    @Flag(help: "One line for each system that is wrong.") var verbose = false

    func run() throws {
        var table = Table()
        let pages = try PageWithTruth.all(in: folder)
        guard !pages.isEmpty else { throw ValidationError("no pages in \(folder)") }
        print("seed of the noise: \(seed)")
        let clean = measure("clean, 150 dpi", pages, nil)
        for kind in Set(pages.map(\.kind)).sorted() {
            table.note("  of these, \(kind)", clean.score(kind).text)
        }
        table.row("systems, clean", clean.all.systemShare, atLeast: 1)
        table.row("bars, clean: precision", clean.all.precision, atLeast: 0.995)
        table.row("bars, clean: recall", clean.all.recall, atLeast: 0.995)
        _ = measure("blur, noise, uneven light", pages, .scan(turn: 0))
        let turned = measure("the same, turned by 0.5°", pages, .scan(turn: 0.5))
        table.row("systems, 0.5°", turned.all.systemShare, atLeast: 1)
        table.row("bars, 0.5°: recall", turned.all.recall, atLeast: 0.97)
        _ = measure("the same, turned by 1.2°", pages, .scan(turn: 1.2))
        if let coarse { _ = measure("clean, 100 dpi", try PageWithTruth.all(in: coarse), nil) }
        if let musescore {
            let others = try PageWithTruth.all(in: musescore)
            let clean = measure("MuseScore, clean", others, nil)
            table.row("systems, MuseScore, clean", clean.all.systemShare, atLeast: 1)
            table.row("bars, MuseScore, clean: precision", clean.all.precision, atLeast: 0.995)
            table.row("bars, MuseScore, clean: recall", clean.all.recall, atLeast: 0.995)
            let turned = measure("MuseScore, 0.5°, blur, noise", others, .scan(turn: 0.5))
            table.row("bars, MuseScore, 0.5°: recall", turned.all.recall, atLeast: 0.97)
        }
        table.row("time of a core for a page, mean", clean.seconds, atMost: 0.3, unit: "s")
        print(table.missed == 0 ? "all met" : "\(table.missed) missed")
        if table.missed > 0 { throw ExitCode(1) }
    }

    /// Finds the bars of all pages, and prints a line.
    private func measure(_ name: String, _ pages: [PageWithTruth], _ degradation: Degradation?) -> Measurement {
        var measurement = Measurement()
        for page in pages {
            var generator = SeededNumbers(seed: page.name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
            let faults = measurement.add(degradation?.applied(to: page, using: &generator) ?? page)
            if verbose { for fault in faults { print("    " + fault) } }
        }
        Table().note(name, measurement.all.text)
        return measurement
    }
}

private struct Table: FigureTable { var missed = 0 }
