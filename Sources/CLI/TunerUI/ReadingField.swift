internal import Intonation
internal import Music
internal import Pitch
internal import TerminalUI

/// A field of a reading in JSON and CSV.
package struct ReadingField: Sendable {
    package let name: String
    /// What it is, as a sentence.
    package let meaning: String
    private let isText: Bool
    /// Whether JSON leaves it out where it is unknown, rather than writing `null`, and CSV has no such column.
    let isExtra: Bool
    /// The value with its decimals; `nil` if it is unknown.
    let value: @Sendable (TunedNote) -> String?

    private init(
        _ name: String, isText: Bool = false, isExtra: Bool = false, _ meaning: String,
        _ value: @escaping @Sendable (TunedNote) -> String?
    ) {
        (self.name, self.isText, self.isExtra, self.value) = (name, isText, isExtra, value)
        self.meaning = meaning + (isExtra ? " Not in CSV, and only where it is known." : "")
    }

    func json(_ note: TunedNote) -> String? { value(note).map { isText ? JSON.quoted($0) : $0 } }

    /// All fields but the file, which comes first.
    package static let all = [
        ReadingField("time_s", "The seconds from the start of the sound.") { decimal($0.time.inSeconds, 6) },
        ReadingField("note", isText: true, "The nearest note, without its octave.") { $0.pitch?.name },
        ReadingField("octave", "The octave of the note.") { $0.pitch.map { "\($0.octave)" } },
        ReadingField("midi", "The MIDI number of the concert note.") { $0.pitch.map { "\($0.note.midi)" } },
        ReadingField("cents", "The deviation; positive is sharp.") { decimal($0.pitch?.deviation.value, 4) },
        ReadingField("standard_error_cents", "The standard error of the deviation.") {
            positive($0.reading.standardError.value, 4)
        },
        ReadingField("hz", "The frequency.") { decimal($0.pitch?.frequency.value, 6) },
        ReadingField("target_hz", "The frequency of the note in the tuning.") { decimal($0.pitch?.target.value, 6) },
        ReadingField("concert", isText: true, isExtra: true, "The concert note.") { $0.pitch?.concert },
        ReadingField("string", isExtra: true, "The number that players give to the string or its course.") {
            $0.pitch?.course.map { "\($0)" }
        },
        ReadingField("inharmonicity", isExtra: true, "The inharmonicity coefficient B of the string.") {
            positive($0.reading.inharmonicity, 8)
        },
        ReadingField("confidence", "How periodic the sound is, from 0 to 1.") { decimal($0.reading.clarity, 4) },
        ReadingField("level_db", "The level relative to full scale.") { decimal($0.reading.level.value, 2) },
        ReadingField(
            "state", isText: true,
            "silence, attack, voiced or unvoiced; instead of these no string (more than a fifth from every string of the "
                + "instrument), several notes or hum, where that is known."
        ) { $0.condition?.name ?? "\($0.reading.state)" },
    ]
}

private func decimal(_ value: Double?, _ decimals: Int) -> String? { JSON.fixed(value, decimals: decimals) }

private func positive(_ value: Double, _ decimals: Int) -> String? { value > 0 ? decimal(value, decimals) : nil }
