package import Intonation
internal import Music
internal import TerminalUI

/// A note of a recording as one line: for people, as JSON (RFC 8259) or as comma-separated values (RFC 4180).
package enum NoteFormat: Sendable {
    case plain, json, csv

    /// The line before the notes that were played, if there is one.
    package var header: String? {
        self == .csv ? "file,start_s,end_s,note,midi,cents,spread_cents,hz" : nil
    }

    /// The line of a note that was played.
    ///
    /// - Parameter file: the recording. CSV always names it, JSON where it is given.
    package func line(_ entry: NoteSummary.Entry, file: String, isOneOfSeveral: Bool) -> String {
        let values = [
            ("start_s", fixedPoint(entry.start.inSeconds, decimals: 3)),
            ("end_s", fixedPoint(entry.end.inSeconds, decimals: 3)), ("note", entry.label),
            ("midi", "\(entry.note.midi)"), ("cents", fixedPoint(entry.deviation.value, decimals: 3)),
            ("spread_cents", fixedPoint(entry.spread.value, decimals: 3)),
            ("hz", fixedPoint(entry.frequency.value, decimals: 4)),
        ]
        switch self {
        case .plain: return entry.line
        case .csv: return csvLine([file] + values.map(\.1))
        case .json:
            return JSON.object(
                [("file", isOneOfSeveral ? JSON.quoted(file) : nil)]
                    + values.map { ($0.0, $0.0 == "note" ? JSON.quoted($0.1) : $0.1) })
        }
    }
}
