package import Intonation
internal import Music
internal import Pitch
internal import Platform
internal import TerminalUI

/// The format of readings in a pipe or a file: one line each.
package enum ReadingFormat: Sendable {
    /// Aligned columns: seconds, note, cents, hertz, confidence, decibels.
    case plain
    /// One JSON object per line (RFC 8259), with `null` where there is no pitch.
    case json
    /// Comma-separated values (RFC 4180); `header` names the columns.
    case csv

    /// The line before all others, if there is one.
    package var header: String? {
        self == .csv ? (["file"] + Self.columns.map(\.name)).joined(separator: ",") : nil
    }

    /// The line for a reading, without a line feed.
    ///
    /// - Parameters:
    ///   - note: the reading.
    ///   - file: the file it comes from, or `-`; `nil` for a device. CSV always names it.
    ///   - isOneOfSeveral: whether the other formats name it too.
    package func line(_ note: TunedNote, file: String?, isOneOfSeveral: Bool = true) -> String {
        switch self {
        case .plain: Self.plainLine(note, file: isOneOfSeveral ? file : nil)
        case .json: Self.jsonLine(note, file: isOneOfSeveral ? file : nil)
        case .csv: csvLine([file ?? ""] + Self.columns.map { $0.value(note) ?? "" })
        }
    }

    private static func plainLine(_ note: TunedNote, file: String?) -> String {
        let name = file.map { $0.legible + "  " } ?? ""
        let prefix = name + padded(fixedPoint(note.time.inSeconds, decimals: 3), to: 9)
        let level = padded(fixedPoint(note.reading.level.value, decimals: 1), to: 6) + " dB"
        guard let pitch = note.pitch else {
            let name = padded(note.condition?.name ?? "", toColumns: 30)
            return prefix + "  -   " + name + level
        }
        return prefix + "  " + padded(pitch.label, toColumns: 4)
            + padded(fixedPoint(pitch.deviation.value, decimals: 2, signed: true), to: 7) + " c "
            + padded(fixedPoint(pitch.frequency.value, decimals: 3), to: 9) + " Hz  "
            + fixedPoint(note.reading.clarity, decimals: 2) + "  " + level
    }

    private static func jsonLine(_ note: TunedNote, file: String?) -> String {
        let members = ReadingField.all.map { field in
            (field.name, field.json(note) ?? (field.isExtra ? nil : "null"))
        }
        return JSON.object([("file", file.map(JSON.quoted))] + members)
    }

    private static let columns = ReadingField.all.filter { !$0.isExtra }
}
