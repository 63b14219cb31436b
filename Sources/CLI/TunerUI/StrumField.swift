package import Intonation
internal import Music
internal import TerminalUI

/// A field of a string of a strum in JSON and CSV.
package struct StrumField: Sendable {
    package let name: String
    /// What it is, as a sentence.
    package let meaning: String
    private let isText: Bool
    /// Whether JSON leaves it out where it is unknown, rather than writing `null`, and CSV has no such column.
    package let isExtra: Bool
    /// The value with its decimals; `nil` if it is unknown.
    let value: @Sendable (_ string: TunedString, _ strum: TunedStrum, _ number: Int) -> String?

    private init(
        _ name: String, isText: Bool = false, isExtra: Bool = false, _ meaning: String,
        _ value: @escaping @Sendable (TunedString, TunedStrum, Int) -> String?
    ) {
        (self.name, self.isText, self.isExtra, self.value) = (name, isText, isExtra, value)
        self.meaning = meaning + (isExtra ? " Not in CSV, and only where it is known." : "")
    }

    /// A field that depends only on the string.
    private init(
        _ name: String, isText: Bool = false, isExtra: Bool = false, ofString meaning: String,
        _ value: @escaping @Sendable (TunedString) -> String?
    ) { self.init(name, isText: isText, isExtra: isExtra, meaning) { string, _, _ in value(string) } }

    package func json(_ string: TunedString, _ strum: TunedStrum, _ number: Int) -> String? {
        value(string, strum, number).map { isText ? JSON.quoted($0) : $0 }
    }

    /// All fields but the file, which comes first.
    package static let all =
        [
            StrumField("time_s", "The seconds from the start of the sound to the first string of the strum.") {
                (_, strum, _) in JSON.fixed(strum.time.inSeconds, decimals: 6)
            },
            StrumField("strum", "The number of the strum, from 1.") { _, _, number in "\(number)" },
            StrumField("window_s", "The seconds of sound that the measurement rests on, 0.25 to 2.") {
                (_, strum, _) in JSON.fixed(strum.window.inSeconds, decimals: 3)
            },
        ] + ofString

    /// Those that tell a string apart from its strum.
    package static let ofString = [
        StrumField("string", ofString: "The number that players give to the string or its course.") { "\($0.course)" },
        StrumField("note", isText: true, ofString: "The note of the string, without its octave.") { $0.pitch.name },
        StrumField("octave", ofString: "The octave of the note.") { "\($0.pitch.octave)" },
        StrumField("midi", ofString: "The MIDI number of the concert note.") { "\($0.pitch.note.midi)" },
        StrumField("cents", ofString: "The deviation of the string; positive is sharp.") {
            heard($0, $0.pitch.deviation.value, 4)
        },
        StrumField("standard_error_cents", ofString: "The standard error of the deviation.") {
            heard($0, $0.standardError.value, 4)
        },
        StrumField("hz", ofString: "The frequency of the first partial.") { heard($0, $0.pitch.frequency.value, 6) },
        StrumField("target_hz", ofString: "The frequency of the note in the tuning.") {
            JSON.fixed($0.pitch.target.value, decimals: 6)
        },
        StrumField("concert", isText: true, isExtra: true, ofString: "The concert note.") { $0.pitch.concert },
        StrumField("inharmonicity", isExtra: true, ofString: "The inharmonicity coefficient B of the string.") {
            heard($0, $0.inharmonicity, 8)
        },
        StrumField("level_db", ofString: "The level of the string relative to full scale.") {
            heard($0, $0.level.value, 2)
        },
        StrumField("state", isText: true, ofString: "in tune, flat, sharp or not heard.") { $0.word },
    ]
}

/// A number of a string; `nil` if the string is not heard.
private func heard(_ string: TunedString, _ value: Double, _ decimals: Int) -> String? {
    string.isHeard ? JSON.fixed(value, decimals: decimals) : nil
}

extension TunedString {
    /// `in tune`, `flat`, `sharp` or `not heard`.
    var word: String { verdict?.rawValue ?? "not heard" }
}
