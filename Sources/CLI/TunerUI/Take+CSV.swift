package import Intonation
internal import Music
internal import TerminalUI

extension Take {
    /// The line before the rows of `csv`.
    ///
    /// - Parameter strums: whether strums are looked for. Then each string of a strum has a row too, with columns of its own
    ///   at the end, and the deviation where a note has its mean.
    package static func csvHeader(strums: Bool) -> String {
        (noteColumns + (strums ? stringColumns : [])).joined(separator: ",")
    }

    /// The intonation of each note as comma-separated values, a row each; then each string of each strum.
    package var csv: [String] {
        notes.map { note in
            let cents = [note.mean, note.spread, note.quantile(0.05), note.quantile(0.5), note.quantile(0.95)]
            return csvLine(
                [name, note.label, "\(note.note.midi)", fixedPoint(note.duration.inSeconds, decimals: 3)]
                    + cents.map { fixedPoint($0.value, decimals: 3) }
                    + (finder.strings == nil ? [] : Self.stringColumns.map { _ in "" }))
        }
            + strums.enumerated().flatMap { index, played in
                played.strum.strings.map { row(of: $0, played, number: index + 1) }
            }
    }

    private func row(of string: TunedString, _ played: PlayedStrum, number: Int) -> String {
        let cents = string.isHeard ? fixedPoint(string.pitch.deviation.value, decimals: 3) : ""
        let values = Self.stringColumns.map { column in
            switch column {
            case "start_s": fixedPoint(played.time.inSeconds, decimals: 3)
            default: Self.stringFields[column]?.value(string, played.strum, number) ?? ""
            }
        }
        return csvLine(
            [
                name, string.pitch.label, "\(string.pitch.note.midi)",
                fixedPoint(played.duration.inSeconds, decimals: 3), cents, "", "", "", "",
            ] + values)
    }

    private static let noteColumns = [
        "file", "note", "midi", "seconds", "mean_cents", "sd_cents", "p5_cents", "median_cents", "p95_cents",
    ]

    /// As `--strum --csv` has them, but for the start, which is that of JSON.
    private static let stringColumns = [
        "start_s", "strum", "window_s", "string", "standard_error_cents", "hz", "state",
    ]

    private static let stringFields = Dictionary(
        StrumField.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
