package import Music
internal import TerminalUI

/// A note that was transcribed, as one line: for people, as JSON (RFC 8259) or as comma-separated values (RFC 4180).
package struct NoteRow: Sendable {
    /// What has happened to the note: `ended`, or with --events also `began`, `corrected`, `withdrawn`.
    package var event: String
    /// By which the events of a note belong together, and when this one was told: since the first sample.
    package var number = 0, told = Duration.zero
    package var start: Duration, end: Duration
    /// Name and octave.
    package var label: String
    package var midi: Int
    package var deviation: Cents, standardError: Cents
    package var frequency: Hertz
    package var vibratoRate: Hertz, vibratoDepth: Cents
    package var level: Decibels
    package var velocity: Int

    package init(event: String, start: Duration, end: Duration, label: String, midi: Int) {
        (self.event, self.start, self.end, self.label, self.midi) = (event, start, end, label, midi)
        (deviation, standardError, frequency) = (0.cents, 0.cents, 0.hertz)
        (vibratoRate, vibratoDepth, level, velocity) = (0.hertz, 0.cents, 0.decibels, 1)
    }

    /// A value by its name, with what it means, in the order of the columns.
    private static let fields: [(name: String, meaning: String, value: @Sendable (NoteRow) -> String)] = [
        ("start_s", "when it begins, in seconds", { fixedPoint($0.start.inSeconds, decimals: 4) }),
        ("end_s", "when it ends", { fixedPoint($0.end.inSeconds, decimals: 4) }),
        ("note", "its name with the octave", { $0.label }), ("midi", "its MIDI number", { "\($0.midi)" }),
        ("cents", "the mean deviation", { fixedPoint($0.deviation.value, decimals: 2) }),
        ("standard_error", "of the mean, in cents", { fixedPoint($0.standardError.value, decimals: 2) }),
        ("hz", "the mean frequency", { fixedPoint($0.frequency.value, decimals: 3) }),
        ("vibrato_hz", "the rate of the vibrato, 0 without", { fixedPoint($0.vibratoRate.value, decimals: 1) }),
        ("vibrato_cents", "its swing to either side", { fixedPoint($0.vibratoDepth.value, decimals: 1) }),
        (
            "level_db", "the loudest of its first 0.1 s, relative to full scale",
            {
                fixedPoint($0.level.value, decimals: 1)
            }
        ), ("velocity", "the same as a MIDI velocity, 1 to 127", { "\($0.velocity)" }),
    ]

    /// What each event has besides, with --events.
    private static let eventFields: [(name: String, meaning: String, value: @Sendable (NoteRow) -> String)] = [
        ("number", "with --events, the number of the note, which its events have in common", { "\($0.number)" }),
        (
            "told_s", "with --events, when this was told, in seconds",
            {
                fixedPoint($0.told.inSeconds, decimals: 4)
            }
        ),
    ]

    /// The standard error by the name that readings and strums have. The other one stays for the scripts that read it.
    private static let readingsName = "standard_error_cents"

    /// The fields of JSON, for the manual page.
    package static var meanings: [(name: String, meaning: String)] {
        [("event", "what has happened, with --events: began, corrected, ended or withdrawn")]
            + fields.map { ($0.name, $0.meaning) } + eventFields.map { ($0.name, $0.meaning) }
            + [(readingsName, "the same as standard_error, by the name that readings have; not in CSV")]
    }

    /// The line before the notes, if there is one.
    package static func header(_ format: NoteFormat, hasEvents: Bool) -> String? {
        switch format {
        case .plain, .json: nil
        case .csv:
            (["file", "event"] + fields.map(\.name) + (hasEvents ? eventFields.map(\.name) : []))
                .joined(separator: ",")
        }
    }

    /// - Parameters:
    ///   - file: the recording. CSV always names it, JSON where there are several.
    ///   - hasEvents: whether other events than the ends of notes are written as well.
    package func line(_ format: NoteFormat, file: String, isOneOfSeveral: Bool, hasEvents: Bool) -> String {
        let values = (Self.fields + (hasEvents ? Self.eventFields : [])).map { ($0.name, $0.value(self)) }
        switch format {
        case .plain: return hasEvents ? padded(event, toColumns: 11) + text : text
        case .csv: return csvLine([file, event] + values.map(\.1))
        case .json:
            return JSON.object(
                [
                    ("file", isOneOfSeveral ? JSON.quoted(file) : nil),
                    ("event", hasEvents ? JSON.quoted(event) : nil),
                ] + values.map { ($0.0, $0.0 == "note" ? JSON.quoted($0.1) : $0.1) } + [
                    (Self.readingsName, fixedPoint(standardError.value, decimals: 2))
                ])
        }
    }

    private var text: String {
        var text = padded(fixedPoint(start.inSeconds, decimals: 2), to: 8) + " s  " + padded(label, toColumns: 4)
        text += padded(fixedPoint(deviation.value, decimals: 1, signed: true), to: 6) + " ± "
        text += padded(fixedPoint(standardError.value, decimals: 1), to: 4) + " c"
        text += padded(fixedPoint(frequency.value, decimals: 2), to: 10) + " Hz"
        text += padded(fixedPoint((end - start).inSeconds, decimals: 2), to: 7) + " s"
        text += padded(String(velocity), to: 6)
        guard vibratoDepth.value > 0 else { return text }
        return text + "  vibrato " + fixedPoint(vibratoRate.value, decimals: 1) + " Hz ± "
            + fixedPoint(vibratoDepth.value, decimals: 0) + " c"
    }

    /// The line over a table for people.
    package static var tableHead: String { "   start    note  cents             frequency   length  velocity" }
}
