import Foundation
import RealNotes
import WellTempered

/// The first table: real notes with exactly known pitch.
struct RealNoteRows {
    let notes: RealNoteSet
    let listener: Listener
    let isVerbose: Bool
    /// Whether to compare with the best linear filter of each note.
    var asksOracle = false

    func rows(_ table: inout Table) throws {
        var oracles = OracleRows(isVerbose: isVerbose)
        let results = try RealNoteResults(
            notes.sounds.compactMap { sound in
                let (samples, rate) = try sound.load()
                var listener = listener.with(window: 0.3)
                listener.rate = rate
                let heard = try listener(samples)
                let readings = heard.map { reading in
                    NoteReading(
                        time: Double(reading.frame) / rate,
                        hertz: reading.state == .voiced ? reading.frequency.value : 0,
                        standardError: listener.method == .harmonic ? reading.standardError.value : nil)
                }
                let outcome = try RealNoteOutcome(
                    readings, of: sound, telling: listener.method == .harmonic ? .firstPartial : .period)
                if asksOracle, let outcome { oracles.add(outcome, of: sound, heard) }
                return outcome
            })
        let groups = RealNoteResults.Group.table.compactMap { group in results.figures(of: group).map { (group, $0) } }
        print("real notes of exactly known pitch; best common delay \(Int((1_000 * results.lag).rounded())) ms")
        print(line([""] + RealNoteFigures.columns))
        for (group, figures) in groups { print(line([group.name] + figures.cells)) }
        if isVerbose { for line in results.lines { print("    " + line) } }
        limits(&table, Dictionary(uniqueKeysWithValues: groups))
        guard asksOracle else { return }
        OracleChecks(seed: 1).rows(&table)
        try oracles.rows(&table, lag: results.lag)
    }

    private func line(_ cells: [String]) -> String {
        let widths = [20] + RealNoteFigures.columns.map { max(6, $0.count) + 1 }
        return zip(cells, widths).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + blanks : blanks + cell.0
        }.joined()
    }

    private func limits(_ table: inout Table, _ figures: [RealNoteResults.Group: RealNoteFigures]) {
        typealias Group = RealNoteResults.Group
        func row(
            _ name: String, _ group: Group, _ value: (RealNoteFigures) -> Double?, atMost limit: Double, _ unit: String
        ) {
            guard let measured = figures[group].flatMap(value) else { return }
            table.row("real notes, \(group.name): \(name)", measured, atMost: limit, unit: unit)
        }
        for (group, limit) in [
            (Group.all, 24.0), (.family("plucked"), 25), (.family("struck"), 45), (.family("bowed"), 35),
            (.family("blown"), 18), (.family("sung"), 50),
        ] {
            row("lock within 50 c, median", group, \.lock, atMost: limit, "ms")
        }
        row("lock within 50 c, p90", .all, \.lateLock, atMost: 75, "ms")
        row("lock within 50 c, never", .all, { Double($0.never) }, atMost: 0, "notes")
        for (group, limit) in [(Group.all, 0.05), (.context(.room), 0.05), (.context(.ring), 0.3)] {
            row("wrong readings a note", group, \.wrong, atMost: limit, "")
        }
        row("gross", .all, \.gross, atMost: 0.05, "%")
        row("missed", .all, \.missed, atMost: 0.5, "%")
        row("rms at a delay of 10 ms", .all, \.rmsAtTen, atMost: 0.38, "c")
        for (group, limit) in [
            (Group.all, 0.18), (.family("plucked"), 0.05), (.family("struck"), 0.05), (.family("bowed"), 0.35),
            (.family("blown"), 0.15), (.family("sung"), 0.8),
        ] {
            row("jitter", group, \.jitter, atMost: limit, "c")
        }
        if let all = figures[.all], let one = all.withinOne, let two = all.withinTwo, let error = all.standardError {
            table.row("real notes, all: within 1 standard error", one, from: 65, to: 80, unit: "%")
            table.row("real notes, all: within 2 standard errors", two, from: 93, to: 98, unit: "%")
            row("median standard error over rms", .all, { _ in error / all.rmsAtTen }, atMost: 1.5, "")
        }
    }
}
