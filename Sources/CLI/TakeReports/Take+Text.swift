internal import Intonation
internal import Music
internal import Platform
internal import TerminalUI
internal import TunerUI

extension Take {
    /// The summary for a person: of a melody what a teacher asks for first, of other sounds each note.
    package var text: String { text(nil) }

    /// - Parameters:
    ///   - melody: the take as a melody, if it is one.
    ///   - listsNotes: whether each note of a melody is listed as well.
    package func text(_ melody: MelodySummary?, listsNotes: Bool = false) -> String {
        var text = "\(name.legible)  \(fixedPoint((duration - start).inSeconds, decimals: 1)) s\n"
        if let melody {
            text += "\n" + melody.head
            if let drift { text += "  drift     " + drift.words + "\n" }
            if let bestA4 { text += "  A4        " + fixedPoint(bestA4.value, decimals: 2) + " Hz fits best\n" }
            return text + melody.tables + noteTable + (listsNotes ? melody.list : "")
        }
        guard !entries.isEmpty || !strums.isEmpty else { return text + "  no steady note\n" }
        text += "\n     start  note     cents         spread        Hz   length\n"
        let played = entries.map { ($0.start, [$0.line]) } + strums.map { ($0.time, $0.lines) }
        for (_, lines) in played.sorted(by: { $0.0 < $1.0 }) { for line in lines { text += "  " + line + "\n" } }
        guard !entries.isEmpty else { return text }
        return text + noteTable + (ending.isEmpty ? "\n" : "\n" + ending)
    }

    /// The intonation of each note.
    private var noteTable: String {
        var text = "\n  note   seconds    mean      sd   from      to\n"
        for note in notes {
            func cents(_ cents: Cents, signed: Bool = true) -> String {
                padded(fixedPoint(cents.value, decimals: 1, signed: signed), to: 8)
            }
            text += "  " + padded(note.label, toColumns: 6)
            text += padded(fixedPoint(note.duration.inSeconds, decimals: 2), to: 8)
            text += cents(note.mean) + cents(note.spread, signed: false)
            text += cents(note.quantile(0.05)) + cents(note.quantile(0.95)) + "\n"
        }
        return text
    }

    /// The drift and the best A4.
    private var ending: String {
        var text = ""
        if let drift { text += "  " + drift.text + "\n" }
        if let bestA4 { text += "  A4 that fits best " + fixedPoint(bestA4.value, decimals: 2) + " Hz\n" }
        return text
    }

    package var json: String { json(nil) }

    /// - Parameter melody: the take as a melody, if it is one.
    package func json(_ melody: MelodySummary?) -> String {
        func number(_ value: Double?) -> String { JSON.fixed(value, decimals: 3) ?? "null" }
        let notes = notes.map { note in
            JSON.object([
                ("note", JSON.quoted(note.label)), ("midi", String(note.note.midi)),
                ("seconds", number(note.duration.inSeconds)), ("mean_cents", number(note.mean.value)),
                ("sd_cents", number(note.spread.value)),
            ])
        }
        let played = entries.map { entry in
            JSON.object([
                ("note", JSON.quoted(entry.label)), ("start_s", number(entry.start.inSeconds)),
                ("end_s", number(entry.end.inSeconds)), ("cents", number(entry.deviation.value)),
                ("spread_cents", number(entry.spread.value)),
                ("hz", JSON.fixed(entry.frequency.value, decimals: 4) ?? "null"),
            ])
        }
        let drift = drift
        return JSON.object([
            ("file", JSON.quoted(name)), ("seconds", number((duration - start).inSeconds)),
            ("notes", JSON.array(notes)),
            ("played", JSON.array(played)), ("strums", strumsJSON),
            ("drift_cents_per_minute", number(drift?.perMinute.value)),
            ("drift_standard_error", number(drift?.standardError.value)), ("best_a4_hz", number(bestA4?.value)),
            ("melody", melody?.json),
        ])
    }
}

extension Take {
    /// The strums and their strings; `nil` where none were looked for.
    private var strumsJSON: String? {
        guard finder.strings != nil else { return nil }
        let all = strums.enumerated().map { index, played in
            let strings = played.strum.strings.map { string in
                JSON.object(
                    StrumField.ofString.map { field in
                        (field.name, field.json(string, played.strum, index + 1) ?? (field.isExtra ? nil : "null"))
                    })
            }
            func seconds(_ time: Duration) -> String { fixedPoint(time.inSeconds, decimals: 3) }
            return JSON.object([
                ("start_s", seconds(played.time)), ("end_s", seconds(played.end)),
                ("window_s", seconds(played.strum.window)), ("strings", JSON.array(strings)),
            ])
        }
        return JSON.array(all)
    }
}

extension PlayedStrum {
    /// A line for the strum and one for each string.
    var lines: [String] {
        let heard = strum.strings.count { $0.isHeard }
        let start = padded(fixedPoint(time.inSeconds, decimals: 2), to: 7) + " s  strum of \(heard) strings"
        let length = padded(fixedPoint(duration.inSeconds, decimals: 2), to: 26) + " s long"
        return [start + length] + strum.strings.map { String(repeating: " ", count: 8) + $0.line }
    }
}
