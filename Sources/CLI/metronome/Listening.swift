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
    /// The last muted bar that was told, and the bar after which those begin that were not, in the order of playing.
    private var toldThrough = Int64.min, told = Int64.min
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
        if hearing.isFollowing && table != "-" { return lines }
        for note in notes where !note.point.isCountIn {
            lines.append(isJSON ? summary.json(note) : table == "-" ? summary.csv(note) : summary.line(note))
        }
        return lines
    }

    /// What the muted bars say that ended since the last call.
    mutating func newRuns(isShort: Bool) -> [String] {
        guard let newest = hearing.report.lastBar else { return [] }
        let runs = hearing.report.mutedRuns(after: told)
        // A run is over with the first bar after it.
        let ended = runs.filter { $0.firstBar + Int64($0.bars) <= newest }
        let new = ended.filter { $0.firstBar > toldThrough }
        if let last = new.last { toldThrough = last.firstBar + Int64(last.bars) - 1 }
        // Whether a bar is muted is known when its beats are over, 0.3 s later: some bars of a single beat.
        told = min(newest - 16, runs.count > ended.count ? runs[runs.count - 1].firstBar - 1 : .max)
        let isAbsolute = hearing.isAbsolute
        return new.map {
            isShort
                ? PlayingSummary.shortText(of: $0, isAbsolute: isAbsolute)
                : PlayingSummary.text(of: $0, isAbsolute: isAbsolute)
        }
    }

    /// Writes the table and the picture; returns the summary as it is printed.
    mutating func conclude() throws -> String {
        let summary = hearing.summary
        let (all, kept) = (summary.report.noteCount, summary.report.notes.count)
        if kept < all, let file = table == "-" ? plot : table ?? plot {
            complain("\"\(file)\" has the last \(kept) of \(all) notes; the summary is of all of them")
        }
        if let table, table != "-" {
            let rows = [PlayingSummary.csvHeader] + summary.report.notes.map(summary.csv)
            try SmallFile.write(Array((rows.joined(separator: "\n") + "\n").utf8), to: table)
        }
        if let plot { try SmallFile.write(Array(PlayingPlot(summary, title: title).svg.utf8), to: plot) }
        if isJSON { return summary.json + "\n" }
        return table == "-" ? "" : summary.text
    }
}
