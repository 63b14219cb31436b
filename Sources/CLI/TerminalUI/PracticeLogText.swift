internal import Music
internal import Platform
package import PracticeLog

/// The practice log as text: the newest sessions, and what they add up to by week and by piece.
package struct PracticeLogText {
    let sessions: [LoggedSession]

    /// - Parameter sessions: the oldest first.
    package init(_ sessions: [LoggedSession]) { self.sessions = sessions }

    /// The table for a person.
    ///
    /// - Parameter newest: how many sessions and weeks it shows.
    package func text(newest: Int) -> String {
        let weeks = PracticeTotal.of(sessions) { $0.week }
        let pieces = PracticeTotal.of(sessions) { $0.session.piece }
        var lines = Self.aligned(sessions.suffix(newest).map(Self.cells))
        lines += ["", "by week"] + Self.aligned(weeks.suffix(newest).map { Self.cells($0, "week of \($0.name)") })
        if !pieces.isEmpty { lines += ["", "by piece"] + Self.aligned(pieces.map { Self.cells($0, $0.name) }) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// One object per session.
    package var json: String {
        sessions.map { entry in
            let session = entry.session
            func text(_ text: String?) -> String? { text.map(JSON.quoted) }
            return JSON.object([
                ("program", JSON.quoted(session.program)), ("began", String(session.began)),
                ("began_local", JSON.quoted(entry.day)), ("seconds", JSON.fixed(session.length.inSeconds, decimals: 1)),
                ("piece", text(session.piece)), ("plan", text(session.plan)), ("device", text(session.device)),
                ("first_bpm", JSON.exact(session.tempo?.first)), ("reached_bpm", JSON.exact(session.tempo?.reached)),
                ("notes", session.timing.map { String($0.notes) }),
                ("mean_ms", JSON.fixed(session.timing?.mean.map { $0.inSeconds * 1_000 }, decimals: 2)),
                ("spread_ms", JSON.fixed(session.timing.map { $0.spread.inSeconds * 1_000 }, decimals: 2)),
                ("mean_cents", JSON.fixed(session.intonation?.mean.value, decimals: 2)),
                ("spread_cents", JSON.fixed(session.intonation?.spread.value, decimals: 2)),
            ]) + "\n"
        }.joined()
    }

    /// Comma-separated values (RFC 4180) with a header.
    package var csv: String {
        func number(_ value: Double?, _ decimals: Int) -> String {
            value.map { fixedPoint($0, decimals: decimals) } ?? ""
        }
        let rows = sessions.map { entry in
            let session = entry.session
            return csvLine([
                session.program, String(session.began), number(session.length.inSeconds, 1), session.piece ?? "",
                session.plan, session.device ?? "", number(session.tempo?.first, 3), number(session.tempo?.reached, 3),
                session.timing.map { String($0.notes) } ?? "",
                number(session.timing?.mean.map { $0.inSeconds * 1_000 }, 2),
                number(session.timing.map { $0.spread.inSeconds * 1_000 }, 2),
                number(session.intonation?.mean.value, 2), number(session.intonation?.spread.value, 2),
                entry.day,
            ])
        }
        return ([csvLine(PracticeLog.columns + ["began_local"])] + rows).map { $0 + "\n" }.joined()
    }

    /// `25 min`, `1 h 05 min` or `45 s`.
    static func text(_ length: Duration) -> String {
        let seconds = Int(length.inSeconds.rounded())
        if seconds < 60 { return "\(seconds) s" }
        let minutes = (seconds + 30) / 60
        guard minutes >= 60 else { return "\(minutes) min" }
        return "\(minutes / 60) h \(minutes % 60 < 10 ? "0" : "")\(minutes % 60) min"
    }

    private static func cells(_ entry: LoggedSession) -> [String] {
        let session = entry.session
        let tempo = session.tempo.map { tempo in
            let (first, reached) = (text(tempo.first), text(tempo.reached))
            return first == reached ? "\(first) BPM" : "\(first) to \(reached) BPM"
        }
        let timing = session.timing.map { timing in
            (timing.mean.map { fixedPoint($0.inSeconds * 1_000, decimals: 1, signed: true) + " ms, " } ?? "")
                + "spread "
                + "\(fixedPoint(timing.spread.inSeconds * 1_000, decimals: 1)), \(timing.notes) notes"
        }
        let intonation = session.intonation.map {
            "\(fixedPoint($0.mean.value, decimals: 1, signed: true)) c, spread "
                + fixedPoint($0.spread.value, decimals: 1)
        }
        return [
            entry.day, text(session.length), (session.piece ?? "").legible, tempo ?? "",
            timing ?? intonation ?? "", "\(session.program) \(session.plan)".legible,
        ]
    }

    private static func cells(_ total: PracticeTotal, _ name: String) -> [String] {
        [
            name.legible, total.sessions == 1 ? "1 session" : "\(total.sessions) sessions", text(total.length),
            total.fastest.map { "up to \(text($0)) BPM" } ?? "",
            total.steadiest.map { "spread down to \(fixedPoint($0.inSeconds * 1_000, decimals: 1)) ms" } ?? "",
        ]
    }

    private static func text(_ tempo: Double) -> String {
        let text = fixedPoint(tempo, decimals: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// The cells of lines in columns; columns in which all are empty are left out.
    private static func aligned(_ rows: [[String]]) -> [String] {
        guard let first = rows.first else { return [] }
        let widths = first.indices.map { column in rows.map { displayWidth(of: $0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (cell, width) in zip(row, widths) where width > 0 { line += padded(cell, toColumns: width) + "  " }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
