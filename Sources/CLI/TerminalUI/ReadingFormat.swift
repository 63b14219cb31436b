internal import Music

/// How a reading is written where no terminal redraws it: one line each.
public enum ReadingFormat: Sendable {
    /// Columns for the eye and for `awk`: seconds, note, cents, hertz, confidence, decibels.
    case plain
    /// One JSON object a line (RFC 8259), `null` where there is no pitch.
    case json
    /// One line of comma-separated values (RFC 4180); `header` names the columns.
    case csv

    /// The line that goes before all others, if there is one.
    public var header: String? {
        guard case .csv = self else { return nil }
        return "file,time_s,note,octave,midi,cents,standard_error_cents,hz,target_hz,confidence,level_db,state"
    }

    /// The line for a reading, without its end. In `plain`, a moment without pitch has a dash for its note.
    ///
    /// - Parameters:
    ///   - reading: what to write.
    ///   - file: the file it comes from, where several are read.
    public func line(_ reading: TunedNote, file: String?) -> String {
        switch self {
        case .plain: Self.plainLine(reading, file: file)
        case .json: Self.jsonLine(reading, file: file)
        case .csv: Self.csvLine(reading, file: file)
        }
    }

    private static func plainLine(_ reading: TunedNote, file: String?) -> String {
        let name = file.map { withoutControls($0) + "  " } ?? ""
        let prefix = name + padded(fixedPoint(reading.seconds, decimals: 3), to: 9)
        let level = padded(fixedPoint(reading.level.value, decimals: 1), to: 6) + " dB"
        guard let pitch = reading.pitch else { return prefix + "  -                                 " + level }
        let note = pitch.label
        return prefix + "  " + note + String(repeating: " ", count: max(0, 4 - displayWidth(of: note)))
            + padded(fixedPoint(pitch.deviation.value, decimals: 2, signed: true), to: 7) + " c "
            + padded(fixedPoint(pitch.frequency.value, decimals: 3), to: 9) + " Hz  "
            + fixedPoint(reading.confidence, decimals: 2) + "  " + level
    }

    private static func jsonLine(_ reading: TunedNote, file: String?) -> String {
        var fields: [(String, String)] = []
        if let file { fields.append(("file", quoted(file))) }
        fields.append(("time_s", number(reading.seconds, decimals: 6)))
        fields.append(("note", reading.pitch.map { quoted($0.name) } ?? "null"))
        fields.append(("octave", reading.pitch.map { String($0.octave) } ?? "null"))
        fields.append(("midi", reading.pitch.map { String($0.note.midi) } ?? "null"))
        fields.append(("cents", reading.pitch.map { number($0.deviation.value, decimals: 4) } ?? "null"))
        let error = reading.standardError.value
        fields.append(("standard_error_cents", error > 0 ? number(error, decimals: 4) : "null"))
        fields.append(("hz", reading.pitch.map { number($0.frequency.value, decimals: 6) } ?? "null"))
        fields.append(("target_hz", reading.pitch.map { number($0.target.value, decimals: 6) } ?? "null"))
        if let concert = reading.pitch?.concert { fields.append(("concert", quoted(concert))) }
        if let string = reading.pitch?.string { fields.append(("string", String(string + 1))) }
        if reading.inharmonicity > 0 {
            fields.append(("inharmonicity", number(reading.inharmonicity, decimals: 8)))
        }
        fields.append(("confidence", number(reading.confidence, decimals: 4)))
        fields.append(("level_db", number(reading.level.value, decimals: 2)))
        fields.append(("state", quoted("\(reading.state)")))
        return "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private static func csvLine(_ reading: TunedNote, file: String?) -> String {
        var fields = [file ?? "", fixedPoint(reading.seconds, decimals: 6)]
        if let pitch = reading.pitch {
            let error = reading.standardError.value
            fields += [
                pitch.name, String(pitch.octave), String(pitch.note.midi),
                fixedPoint(pitch.deviation.value, decimals: 4),
                error > 0 ? fixedPoint(error, decimals: 4) : "", fixedPoint(pitch.frequency.value, decimals: 6),
                fixedPoint(pitch.target.value, decimals: 6),
            ]
        } else {
            fields += [String](repeating: "", count: 7)
        }
        let level = reading.level.value
        fields += [fixedPoint(reading.confidence, decimals: 4), level.isFinite ? fixedPoint(level, decimals: 2) : ""]
        fields.append("\(reading.state)")
        return fields.map { field in
            let needsQuotes = field.contains { $0 == "," || $0 == "\"" || $0.isNewline }
            return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
        }.joined(separator: ",")
    }

    /// JSON has no infinity and no not-a-number: both are `null`.
    private static func number(_ value: Double, decimals: Int) -> String {
        value.isFinite ? fixedPoint(value, decimals: decimals) : "null"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20: quoted += "\\u" + hexadecimal(scalar.value)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
