internal import Music
package import Rhythm

/// What a take says about a player's tempo, as text and for scripts.
package struct TempoSummary {
    package let report: TempoReport
    /// Whether the player said about how fast the music is. If not, half or twice the tempo may be meant.
    private let isHinted: Bool

    package init(report: TempoReport, isHinted: Bool) { (self.report, self.isHinted) = (report, isHinted) }

    package static let csvHeader = "time_s,beat,heard,uncertainty_ms,tempo_bpm,tempo_error_bpm,confidence"

    /// A beat as a line of CSV.
    package func csv(_ beat: TrackedBeat) -> String {
        [
            fixedPoint(report.seconds(beat), decimals: 6), "\(beat.number + 1)", "\(beat.isHeard)",
            fixedPoint(beat.uncertainty.inSeconds * 1_000, decimals: 3),
            fixedPoint(beat.tempo.beatsPerMinute, decimals: 4), fixedPoint(beat.tempo.standardError, decimals: 4),
            fixedPoint(beat.tempo.confidence, decimals: 3),
        ].joined(separator: ",")
    }

    /// A beat as a JSON object.
    package func json(_ beat: TrackedBeat) -> String {
        JSON.object([
            ("time_s", JSON.fixed(report.seconds(beat), decimals: 6)), ("beat", "\(beat.number + 1)"),
            ("heard", "\(beat.isHeard)"),
            ("uncertainty_ms", JSON.fixed(beat.uncertainty.inSeconds * 1_000, decimals: 3)),
            ("tempo_bpm", JSON.fixed(beat.tempo.beatsPerMinute, decimals: 4)),
            ("tempo_error_bpm", JSON.fixed(beat.tempo.standardError, decimals: 4)),
            ("confidence", JSON.fixed(beat.tempo.confidence, decimals: 3)),
        ])
    }

    /// A beat as a line for people.
    package func line(_ beat: TrackedBeat) -> String {
        padded(fixedPoint(report.seconds(beat), decimals: 3), to: 9) + "  beat \(beat.number + 1)  "
            + Self.tempo(beat.tempo) + (beat.isHeard ? "" : "  (no note)")
    }

    /// A tempo with its error: `120.03 ± 0.02 BPM`.
    package static func tempo(_ tempo: TempoEstimate) -> String {
        // Rounded up: an uncertainty of zero would be none.
        fixedPoint(tempo.beatsPerMinute, decimals: 2) + " ± "
            + fixedPoint(max(0.01, tempo.standardError), decimals: 2) + " BPM"
    }

    /// Text for people.
    package var text: String {
        guard let tempo = report.beatsPerMinute, let first = report.beats.first, let last = report.beats.last else {
            return "beats     none\n"
        }
        let silent = report.beats.count { !$0.isHeard }
        var rows = [
            "beats     \(report.beats.count) from \(fixedPoint(report.seconds(first), decimals: 3)) s to "
                + "\(fixedPoint(report.seconds(last), decimals: 3)) s"
                + (silent > 0 ? ", \(silent) of them without a note" : "")
        ]
        var row = "tempo     \(fixedPoint(tempo, decimals: 2))"
        if let error = report.standardError { row += " ± \(fixedPoint(max(0.01, error), decimals: 2))" }
        row += " BPM"
        let eights = report.spans(of: 8).map(\.beatsPerMinute)
        if let slowest = eights.min(), let fastest = eights.max() {
            row += "; over eight beats from \(fixedPoint(slowest, decimals: 2)) to \(fixedPoint(fastest, decimals: 2))"
        }
        rows.append(row)
        rows += report.changes.map { "change    " + Self.words($0) }
        if let course = Self.course(of: report) {
            rows.append((report.drift == nil ? "sway      " : "drift     ") + course)
        }
        if let scatter = report.scatter { rows.append("scatter   " + Self.words(scatter, tempo: tempo)) }
        if !isHinted {
            rows.append("level     " + Self.otherLevels(tempo))
        }
        return (rows + course).joined(separator: "\n") + "\n"
    }

    /// How to have a tempo that was heard at half or twice that: notes alone do not tell which is meant.
    ///
    /// - Parameter unit: the beats that were heard in what --around counts.
    package static func otherLevels(_ tempo: Double, unit: Double = 1) -> String {
        let options = [tempo / 2, tempo * 2].filter(TempoTracker.hints.contains).map {
            "--around " + fixedPoint($0 * unit, decimals: 0)
        }
        return "half or twice as fast is the same rhythm: " + options.joined(separator: ", ")
    }

    /// Whether the tempo drifts and how much it sways, in words; `nil` where neither is known.
    package static func course(of report: TempoReport) -> String? {
        let sway = report.fluctuation.flatMap { $0 > audible * (report.beatsPerMinute ?? 0) ? $0 : nil }
        let words = sway.map { "four beats sway by \(fixedPoint($0, decimals: 1)) BPM (standard deviation)" }
        // Where the tempo steps no drift is told.
        guard let drift = report.drift else { return words }
        guard let words else { return Self.words(drift, steady: "steady") }
        return Self.words(drift, steady: "none on the whole") + "; " + words
    }

    /// The least change of tempo that listeners hear, as a share of it: Friberg and Sundberg, "Time discrimination in a monotonic,
    /// isochronous sequence", 1995.
    private static let audible = 0.025

    private static func words(_ drift: TempoReport.Drift, steady: String) -> String {
        let size = fixedPoint(abs(drift.perMinute), decimals: 2)
        let figures =
            "\(size) ± \(fixedPoint(max(0.01, drift.standardError), decimals: 2)) BPM in a minute"
        guard drift.isCertain else { return "\(steady) (\(figures))" }
        return (drift.perMinute > 0 ? "faster" : "slower") + " by \(figures): from "
            + "\(fixedPoint(drift.first, decimals: 1)) to \(fixedPoint(drift.last, decimals: 1))"
    }

    private static func words(_ change: TempoReport.Change) -> String {
        "at about \(fixedPoint(change.start, decimals: 0)) s from \(fixedPoint(change.before, decimals: 1)) "
            + "to \(fixedPoint(change.after, decimals: 1)) BPM"
    }

    /// Up to 10 ms few hear; from 30 ms on two strokes are a flam.
    private static func words(_ scatter: Duration, tempo: Double) -> String {
        let share = 100 * scatter.inSeconds * tempo / 60
        let size = scatter.inSeconds * 1_000
        let words = size <= 10 ? "even" : size <= 30 ? "audible" : "uneven"
        return "\(fixedPoint(size, decimals: 1)) ms, \(fixedPoint(share, decimals: 1)) % of a beat "
            + "(standard deviation): \(words)"
    }

    /// The tempo of each part, of twelve at most.
    private var course: [String] {
        let whole = report.spans(of: 8)
        guard whole.count >= 2 else { return [] }
        let spans = report.spans(of: 8 * ((whole.count + 11) / 12))
        guard spans.count >= 2 else { return [] }
        return ["", "      from s      to s   beats       BPM"]
            + spans.map { span in
                padded(fixedPoint(span.start, decimals: 1), to: 12) + padded(fixedPoint(span.end, decimals: 1), to: 10)
                    + padded("\(span.beats)", to: 8) + padded(fixedPoint(span.beatsPerMinute, decimals: 2), to: 10)
            }
    }

    /// The summary as a JSON object with the single member `summary`.
    package var json: String {
        let (drift, changes) = (report.drift, report.changes)
        let (first, last) = (drift?.first ?? changes.first?.before, drift?.last ?? changes.last?.after)
        let members = JSON.object([
            ("beats", "\(report.beats.count)"), ("heard", "\(report.beats.count(where: \.isHeard))"),
            ("tempo_bpm", JSON.fixed(report.beatsPerMinute, decimals: 4)),
            ("tempo_error_bpm", JSON.fixed(report.standardError, decimals: 4)),
            ("drift_bpm_per_minute", JSON.fixed(drift?.perMinute, decimals: 4)),
            ("drift_error_bpm_per_minute", JSON.fixed(drift?.standardError, decimals: 4)),
            ("first_bpm", JSON.fixed(first, decimals: 4)), ("last_bpm", JSON.fixed(last, decimals: 4)),
            ("tempo_changes", changes.isEmpty ? nil : Self.json(changes)),
            ("fluctuation_bpm", JSON.fixed(report.fluctuation, decimals: 3)),
            ("scatter_ms", JSON.fixed(report.scatter.map { $0.inSeconds * 1_000 }, decimals: 3)),
            ("hint", "\(isHinted)"),
        ])
        return JSON.object([("summary", members)])
    }

    private static func json(_ changes: [TempoReport.Change]) -> String {
        JSON.array(
            changes.map {
                JSON.object([
                    ("start_s", JSON.fixed($0.start, decimals: 3)), ("tempo_bpm", JSON.fixed($0.after, decimals: 3)),
                ])
            })
    }
}
