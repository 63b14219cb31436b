internal import Music
package import Rhythm

/// What a take says about a player's time, as text and for scripts.
package struct PlayingSummary {
    package var report: PlayingReport
    /// Whether the time from player to microphone is known. If not, lateness is relative to the mean of the notes: spread and
    /// tendency do not depend on it.
    package var isAbsolute: Bool
    /// Why it is not known, if it is not.
    package var whyNotAbsolute = "the latency is not calibrated"
    /// Frames of the metronome's time axis in a second.
    package var sampleRate: Double
    /// Where the time axis begins in what is told: in a recording, the place of the plan's first instant, in seconds.
    package var start: Double

    package init(report: PlayingReport, isAbsolute: Bool, sampleRate: Double, start: Double = 0) {
        (self.report, self.isAbsolute) = (report, isAbsolute)
        (self.sampleRate, self.start) = (sampleRate, start)
    }

    /// What lateness is relative to, in seconds.
    package var origin: Double { isAbsolute ? 0 : report.timing?.mean.inSeconds ?? 0 }

    /// The lateness of a note in milliseconds.
    package func late(_ note: PlayedNote) -> Double { (note.lateness.inSeconds - origin) * 1_000 }

    /// When a note began, in seconds.
    package func time(_ note: PlayedNote) -> Double { start + note.frame / sampleRate }

    // MARK: Words

    /// Text for people.
    package var text: String {
        var rows = [counts]
        guard let timing = report.timing else {
            if report.hitCount == 0 {
                rows.append(
                    report.extraCount > 0
                        ? "no note was near a beat: check the tempo"
                        : "no note was heard: check the level of the microphone or of the recording")
            }
            return (rows + muted).joined(separator: "\n") + "\n"
        }
        if isAbsolute {
            rows.append("mean      " + Self.direction(timing.mean) + Self.error(timing.meanError))
        } else {
            rows.append("mean      not known: " + whyNotAbsolute)
        }
        if let spread = timing.spread, let error = timing.spreadError {
            rows.append("spread    " + Self.milliseconds(spread) + Self.error(error) + " (standard deviation)")
        }
        if let tendency = report.tendency { rows.append("tendency  " + Self.text(of: tendency)) }
        if report.isTrend {
            rows.append("          soft attacks have no exact time: read these figures as a trend")
        }
        rows += table + muted
        return rows.joined(separator: "\n") + "\n"
    }

    private var counts: String {
        let hits = report.hitCount
        return "notes     \(hits) at a beat, \(report.missedCount) missed, \(report.extraCount) extra"
    }

    /// A row for each place in the bar, if there are several.
    private var table: [String] {
        let positions = report.positions
        guard positions.count > 1 else { return [] }
        var rows = ["", "    beat   notes  missed     mean   spread"]
        for position in positions {
            var row = padded(Self.name(position.position), to: 8)
            row += padded("\(position.hits)", to: 8) + padded("\(position.missed)", to: 8)
            if let timing = position.timing {
                let mean = (timing.mean.inSeconds - origin) * 1_000
                row += padded(fixedPoint(mean, decimals: 1, signed: true), to: 9)
                row += padded(timing.spread.map { fixedPoint($0.inSeconds * 1_000, decimals: 1) } ?? "-", to: 9)
                row += " ms"
            } else {
                row += padded("-", to: 9)
            }
            rows.append(row)
        }
        return rows
    }

    private var muted: [String] {
        let runs = report.mutedRuns
        guard !runs.isEmpty else {
            guard let timing = report.mutedTiming else { return [] }
            let mean: Duration = .seconds(timing.mean.inSeconds - origin)
            return ["", "muted     \(timing.count) notes at muted beats: " + Self.direction(mean)]
        }
        return barTable + [""] + runs.map { Self.text(of: $0, isAbsolute: isAbsolute) }
    }

    /// A row for each bar, of the last of them, where some are muted.
    private var barTable: [String] {
        let bars = report.bars
        var rows = ["", "    bar    notes     mean   spread"]
        if bars.count > Self.mostBars { rows[1] += "   the last \(Self.mostBars) of \(bars.count) bars" }
        for bar in bars.suffix(Self.mostBars) {
            let mean = bar.timing.map { fixedPoint(($0.mean.inSeconds - origin) * 1_000, decimals: 1, signed: true) }
            let spread = bar.timing?.spread.map { fixedPoint($0.inSeconds * 1_000, decimals: 1) }
            var row = padded("\(bar.bar)", to: 7) + padded("\(bar.timing?.count ?? 0)", to: 9)
            row += padded(mean ?? "-", to: 9) + padded(spread ?? "-", to: 9) + " ms"
            rows.append(row + (bar.isMuted ? "  muted" : ""))
        }
        return rows
    }

    /// Bars in the table: what fits two screens of a terminal. JSON has all.
    private static let mostBars = 40

    /// What a run of muted bars says.
    package static func text(of run: PlayingReport.MutedRun, isAbsolute: Bool) -> String {
        let bars = run.bars == 1 ? "1 silent bar" : "\(run.bars) silent bars"
        guard let late = isAbsolute ? run.lateAtEnd : run.drift else { return "no note through \(bars)" }
        let error = run.uncertainty.map { Self.error($0) } ?? ""
        return "kept the tempo through \(bars): " + direction(late, decimals: 0) + error + " at the end"
    }

    /// The same for a narrow display.
    package static func shortText(of run: PlayingReport.MutedRun, isAbsolute: Bool) -> String {
        guard let late = isAbsolute ? run.lateAtEnd : run.drift else { return text(of: run, isAbsolute: isAbsolute) }
        return "after \(run.bars) silent \(run.bars == 1 ? "bar" : "bars"): " + direction(late, decimals: 0)
    }

    /// What a tendency says.
    package static func text(of tendency: TempoTendency) -> String {
        let size = abs(tendency.perBar.inSeconds) * 1_000
        let error = error(tendency.standardError)
        guard tendency.isCertain else { return "steady (\(fixedPoint(size, decimals: 2)) ms a bar\(error))" }
        let word = tendency.perBar < .zero ? "rushing" : "dragging"
        return "\(word) \(fixedPoint(size, decimals: size < 0.995 ? 2 : 1)) ms a bar\(error)"
    }

    /// The same in few words, for a display: `rushing 0.8 ms a bar`, `steady`.
    package static func tendencyInWords(_ tendency: TempoTendency) -> String {
        guard tendency.isCertain else { return "steady" }
        return tendency.perBar < .zero
            ? "rushing \(fixedPoint(-tendency.perBar.inSeconds * 1_000, decimals: 1)) ms a bar"
            : "dragging \(fixedPoint(tendency.perBar.inSeconds * 1_000, decimals: 1)) ms a bar"
    }

    /// `11.2 ms late`, `3.0 ms early`, `on the beat`.
    package static func direction(_ lateness: Duration, decimals: Int = 1) -> String {
        let text = fixedPoint(abs(lateness.inSeconds) * 1_000, decimals: decimals)
        guard text.contains(where: { $0 != "0" && $0 != "." }) else { return "on the beat" }
        return text + " ms " + (lateness < .zero ? "early" : "late")
    }

    package static func milliseconds(_ time: Duration) -> String {
        fixedPoint(time.inSeconds * 1_000, decimals: 1) + " ms"
    }

    private static func error(_ error: Duration) -> String {
        let size = error.inSeconds * 1_000
        guard size.isFinite else { return "" }
        // Rounded up: an uncertainty of zero would be none.
        return " ± " + fixedPoint(max(size, size < 0.095 ? 0.01 : 0.1), decimals: size < 0.095 ? 2 : 1)
    }

    /// `2`, `2 &` for the second half of two parts, `2.3` for the third of more; other voices by their number.
    package static func name(_ position: PlayingReport.Position) -> String {
        var name = "\(position.beat)"
        if position.part > 0 { name += position.partsInBeat == 2 ? " &" : ".\(position.part + 1)" }
        return position.layer > 0 ? "voice \(position.layer + 1)  \(name)" : name
    }
}
