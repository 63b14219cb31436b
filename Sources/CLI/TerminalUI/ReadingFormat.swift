package import Intonation
internal import Music
internal import Pitch

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
        guard case .csv = self else { return nil }
        return "file,time_s,note,octave,midi,cents,standard_error_cents,hz,target_hz,confidence,level_db,state"
    }

    /// The line for a reading, without a line feed.
    ///
    /// - Parameters:
    ///   - note: the reading.
    ///   - file: the file it comes from, if several are read.
    package func line(_ note: TunedNote, file: String?) -> String {
        switch self {
        case .plain: Self.plainLine(note, file: file)
        case .json: Self.jsonLine(note, file: file)
        case .csv: Self.csvLine(note, file: file)
        }
    }

    private static func plainLine(_ note: TunedNote, file: String?) -> String {
        let name = file.map { withoutControls($0) + "  " } ?? ""
        let prefix = name + padded(fixedPoint(note.time.inSeconds, decimals: 3), to: 9)
        let level = padded(fixedPoint(note.reading.level.value, decimals: 1), to: 6) + " dB"
        guard let pitch = note.pitch else { return prefix + "  -                                 " + level }
        return prefix + "  " + padded(pitch.label, toColumns: 4)
            + padded(fixedPoint(pitch.deviation.value, decimals: 2, signed: true), to: 7) + " c "
            + padded(fixedPoint(pitch.frequency.value, decimals: 3), to: 9) + " Hz  "
            + fixedPoint(note.reading.clarity, decimals: 2) + "  " + level
    }

    private static func jsonLine(_ note: TunedNote, file: String?) -> String {
        let members = fields(of: note).map { ($0.name, $0.value?.json ?? ($0.isExtra ? nil : "null")) }
        return JSON.object([("file", file.map(JSON.quoted))] + members)
    }

    private static func csvLine(_ note: TunedNote, file: String?) -> String {
        let columns = fields(of: note).filter { !$0.isExtra }.map { $0.value?.plain ?? "" }
        return ([file ?? ""] + columns).map { field in
            let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
        }.joined(separator: ",")
    }
}

/// A value of a reading; `nil` stands for one that is unknown.
private enum Value {
    case text(String)
    case integer(Int)
    case decimal(Double, decimals: Int)

    var plain: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .decimal(let number, let decimals): fixedPoint(number, decimals: decimals)
        }
    }

    var json: String {
        if case .text(let text) = self { JSON.quoted(text) } else { plain }
    }
}

/// The fields of a reading in JSON and CSV. An extra field appears in JSON where it is known, and not in CSV.
private func fields(of note: TunedNote) -> [(name: String, value: Value?, isExtra: Bool)] {
    let (pitch, reading) = (note.pitch, note.reading)
    func decimal(_ value: Double?, _ decimals: Int) -> Value? {
        value.flatMap { $0.isFinite ? .decimal($0, decimals: decimals) : nil }
    }
    func positive(_ value: Double, _ decimals: Int) -> Value? { value > 0 ? decimal(value, decimals) : nil }
    return [
        ("time_s", decimal(note.time.inSeconds, 6), false),
        ("note", pitch.map { .text($0.name) }, false),
        ("octave", pitch.map { .integer($0.octave) }, false),
        ("midi", pitch.map { .integer($0.note.midi) }, false),
        ("cents", decimal(pitch?.deviation.value, 4), false),
        ("standard_error_cents", positive(reading.standardError.value, 4), false),
        ("hz", decimal(pitch?.frequency.value, 6), false),
        ("target_hz", decimal(pitch?.target.value, 6), false),
        ("concert", pitch?.concert.map { .text($0) }, true),
        ("string", pitch?.string.map { .integer($0 + 1) }, true),
        ("inharmonicity", positive(reading.inharmonicity, 8), true),
        ("confidence", decimal(reading.clarity, 4), false),
        ("level_db", decimal(reading.level.value, 2), false),
        ("state", .text("\(reading.state)"), false),
    ]
}
