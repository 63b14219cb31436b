package import Intonation
internal import Music
internal import Platform
internal import TerminalUI

/// The format of strums in a pipe or a file: one line for each string.
package enum StrumFormat: Sendable {
    /// Aligned columns: seconds, strum, string, note, cents, standard error, hertz, word.
    case plain
    /// One JSON object per line (RFC 8259), with `null` where a string is not heard.
    case json
    /// Comma-separated values (RFC 4180); `header` names the columns.
    case csv

    /// The line before all others, if there is one.
    package var header: String? {
        self == .csv ? (["file"] + Self.columns.map(\.name)).joined(separator: ",") : nil
    }

    /// The lines of a strum, without line feeds, in the order of the tuning.
    ///
    /// - Parameters:
    ///   - number: of the strum, from 1.
    ///   - file: the file it comes from, or `-`; `nil` for a device. CSV always names it.
    ///   - isOneOfSeveral: whether the other formats name it too.
    package func lines(_ strum: TunedStrum, number: Int, file: String?, isOneOfSeveral: Bool = true) -> [String] {
        let named = isOneOfSeveral ? file : nil
        return strum.strings.map { string in
            switch self {
            case .plain:
                (named.map { $0.legible + "  " } ?? "")
                    + padded(fixedPoint(strum.time.inSeconds, decimals: 3), to: 9) + padded("\(number)", to: 4) + "  "
                    + string.line
            case .json:
                JSON.object(
                    [("file", named.map(JSON.quoted))]
                        + StrumField.all.map {
                            ($0.name, $0.json(string, strum, number) ?? ($0.isExtra ? nil : "null"))
                        })
            case .csv: csvLine([file ?? ""] + Self.columns.map { $0.value(string, strum, number) ?? "" })
            }
        }
    }

    private static let columns = StrumField.all.filter { !$0.isExtra }
}

extension TunedString {
    /// Number, note, cents with their standard error, hertz and the word in columns.
    package var line: String {
        let name = padded("\(course)", to: 2) + " " + padded(pitch.label, toColumns: 4)
        guard isHeard else { return name + padded("", toColumns: 35) + word }
        let error = min(99, max(0.01, standardError.value))
        return name + padded(fixedPoint(pitch.deviation.value, decimals: 2, signed: true), to: 7) + " c ±"
            + padded(fixedPoint(error, decimals: 2), toColumns: 5)
            + padded(fixedPoint(pitch.frequency.value, decimals: 3), to: 12) + " Hz  " + word
    }
}
