internal import Configuration
internal import Platform
internal import Rhythm
internal import TerminalUI
internal import Timebase

/// The listening of a session: the microphone, what is told of each note, the trainer.
struct Listening: ~Copyable {
    var hearing: PlayerHearing
    var trainer: SpreadTrainer?
    let isJSON: Bool
    /// Where notes go as CSV: `-` is standard output.
    let table: String?
    let plot: String?
    let title: String
    /// Runs of muted bars that were told.
    private var toldRuns = 0
    private var hasBegun = false

    init(
        _ hearing: consuming PlayerHearing, limit: Duration?, isJSON: Bool, table: String?, plot: String?, title: String
    ) {
        self.hearing = hearing
        trainer = limit.map(SpreadTrainer.init)
        (self.isJSON, self.table, self.plot, self.title) = (isJSON, table, plot, title)
    }

    /// Whether standard output has lines for scripts.
    var isForScripts: Bool { isJSON || table == "-" }

    /// The lines of new notes, for a pipe.
    mutating func lines(_ notes: [PlayedNote]) -> [String] {
        let summary = hearing.summary
        var lines: [String] = []
        if table == "-", !hasBegun { lines.append(PlayingSummary.csvHeader) }
        hasBegun = true
        for note in notes where !note.point.isCountIn {
            lines.append(isJSON ? summary.json(note) : table == "-" ? summary.csv(note) : summary.line(note))
        }
        return lines
    }

    /// What the muted bars say that ended since the last call.
    mutating func newRuns(isShort: Bool) -> [String] {
        let report = hearing.report
        let runs = report.mutedRuns
        // A run is over with the first bar after it.
        let ended = runs.filter { run in report.bars.contains { $0.playedBar >= run.firstBar + Int64(run.bars) } }
        defer { toldRuns = ended.count }
        let isAbsolute = hearing.isAbsolute
        return ended.dropFirst(toldRuns).map {
            isShort
                ? PlayingSummary.shortText(of: $0, isAbsolute: isAbsolute)
                : PlayingSummary.text(of: $0, isAbsolute: isAbsolute)
        }
    }

    /// Writes the table and the picture; returns the summary as it is printed.
    mutating func conclude() throws -> String {
        let summary = hearing.summary
        if let table, table != "-" {
            let rows = [PlayingSummary.csvHeader] + summary.report.notes.map(summary.csv)
            try SmallFile.write(Array((rows.joined(separator: "\n") + "\n").utf8), to: table)
        }
        if let plot { try SmallFile.write(Array(PlayingPlot(summary, title: title).svg.utf8), to: plot) }
        if isJSON { return summary.json + "\n" }
        return table == "-" ? "" : summary.text
    }
}
