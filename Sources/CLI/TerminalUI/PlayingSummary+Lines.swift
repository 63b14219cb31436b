internal import Music
package import Rhythm
internal import Timebase

extension PlayingSummary {
    package static let csvHeader =
        "time_s,bar,beat,part,voice,late_ms,uncertainty_ms,strength,attack,muted,extra,absolute"

    /// A note as a line for people.
    package func line(_ note: PlayedNote) -> String {
        let stroke = note.point.stroke
        let name = Self.name(PlayingReport.Position(stroke))
        let place = padded(fixedPoint(time(note), decimals: 3), to: 9) + "  bar \(stroke.bar)  beat \(name)"
        guard !note.isExtra else { return place + "  off the beat" }
        let words = Self.direction(.seconds(late(note) / 1_000))
        return place + "  "
            + (isAbsolute ? words : "\(fixedPoint(late(note), decimals: 1, signed: true)) ms from the mean")
            + (note.kind == .soft ? " (soft)" : "") + (note.isMuted ? "  muted" : "")
    }

    /// A note as a line of CSV.
    package func csv(_ note: PlayedNote) -> String {
        let stroke = note.point.stroke
        return [
            fixedPoint(time(note), decimals: 6), "\(stroke.bar)", "\(stroke.beat)", "\(stroke.part)", "\(stroke.layer)",
            fixedPoint(late(note), decimals: 3), fixedPoint(note.uncertainty.inSeconds * 1_000, decimals: 3),
            fixedPoint(note.strength, decimals: 3), "\(note.kind)", "\(note.isMuted)", "\(note.isExtra)",
            "\(isAbsolute)",
        ].joined(separator: ",")
    }

    /// A note as a JSON object.
    package func json(_ note: PlayedNote) -> String {
        let stroke = note.point.stroke
        return JSON.object([
            ("time_s", JSON.fixed(time(note), decimals: 6)), ("bar", "\(stroke.bar)"), ("beat", "\(stroke.beat)"),
            ("part", "\(stroke.part)"), ("voice", "\(stroke.layer)"), ("late_ms", JSON.fixed(late(note), decimals: 3)),
            ("uncertainty_ms", JSON.fixed(note.uncertainty.inSeconds * 1_000, decimals: 3)),
            ("strength", JSON.fixed(note.strength, decimals: 3)), ("attack", JSON.quoted("\(note.kind)")),
            ("muted", "\(note.isMuted)"), ("extra", "\(note.isExtra)"), ("absolute", "\(isAbsolute)"),
        ])
    }

    /// The summary as a JSON object with the single member `summary`.
    package var json: String {
        func number(_ time: Duration?) -> String? {
            JSON.fixed(time.map { $0.inSeconds * 1_000 }, decimals: 3)
        }
        let (timing, tendency) = (report.timing, report.tendency)
        let positions = report.positions.map { position in
            JSON.object([
                ("beat", "\(position.position.beat)"), ("part", "\(position.position.part)"),
                ("voice", "\(position.position.layer)"), ("notes", "\(position.hits)"),
                ("missed", "\(position.missed)"),
                ("mean_ms", number(position.timing.map { .seconds($0.mean.inSeconds - origin) })),
                ("spread_ms", number(position.timing?.spread)),
            ])
        }
        let runs = report.mutedRuns.map { run in
            JSON.object([
                ("bars", "\(run.bars)"), ("notes", "\(run.notes)"),
                ("late_at_end_ms", number(isAbsolute ? run.lateAtEnd : run.drift)),
                ("uncertainty_ms", number(run.uncertainty)),
            ])
        }
        let bars = report.bars.map { bar in
            JSON.object([
                ("bar", "\(bar.bar)"), ("muted", "\(bar.isMuted)"), ("notes", "\(bar.timing?.count ?? 0)"),
                ("mean_ms", number(bar.timing.map { .seconds($0.mean.inSeconds - origin) })),
                ("spread_ms", number(bar.timing?.spread)),
            ])
        }
        let members = JSON.object([
            ("notes", "\(report.hitCount)"), ("missed", "\(report.missedCount)"), ("extra", "\(report.extraCount)"),
            ("absolute", "\(isAbsolute)"), ("trend", "\(report.isTrend)"),
            ("mean_ms", isAbsolute ? number(timing?.mean) : nil), ("mean_error_ms", number(timing?.meanError)),
            ("spread_ms", number(timing?.spread)), ("spread_error_ms", number(timing?.spreadError)),
            ("tendency_ms_per_bar", number(tendency?.perBar)),
            ("tendency_error_ms_per_bar", number(tendency?.standardError)),
            ("positions", JSON.array(positions)), ("bars", JSON.array(bars)),
            ("muted_runs", JSON.array(runs)),
        ])
        return JSON.object([("summary", members)])
    }
}
