package import Intonation
package import Music
internal import Pitch
internal import TerminalUI

/// The tuner on one line of a terminal: note, octave, cents, needle, frequency, level.
package struct TunerLine: Sendable {
    private let needle: Needle
    private var held = HeldNote()
    private var shown: ShownPitch
    private var advice: String?
    /// Whether the player tunes the strings of an instrument.
    package var hasStrings: Bool
    /// How fast number and word follow the pitch. The needle shows every reading.
    package var response: Response {
        get { shown.response }
        set { shown.response = newValue }
    }
    private var level = Decibels(-.infinity)

    /// A line that has not heard anything.
    ///
    /// - Parameters:
    ///   - tolerance: up to where a note is in tune.
    ///   - response: how fast number and word follow the pitch.
    ///   - hasStrings: whether the player tunes the strings of an instrument.
    package init(
        unicode: Bool, tolerance: Cents = TuningVerdict.usualTolerance, response: Response = .steady,
        hasStrings: Bool = false
    ) {
        needle = Needle(unicode: unicode)
        shown = ShownPitch(tolerance: tolerance)
        shown.response = response
        self.hasStrings = hasStrings
    }

    /// Adds a reading. Every reading counts, whether it is drawn or not.
    package mutating func hear(_ note: TunedNote) {
        let (last, wasSounding) = (held.pitch, held.strength >= 1)
        if held.hear(note), let heard = held.pitch {
            let isNew = last?.note != heard.note || last?.string != heard.string || !wasSounding
            shown.hear(heard, error: note.reading.standardError, at: note.time.inSeconds, isNew: isNew)
        }
        advice = note.condition?.advice(hasStrings: hasStrings)
        level = note.reading.level
    }

    /// The line, at most `columns` wide.
    package func text(columns: Int) -> String {
        let level = level.value.isFinite ? fixedPoint(level.value, decimals: 0) : "-inf"
        let tail = "  " + padded(level, to: 4) + " dB"
        guard let pitch = held.pitch else {
            if let advice { return fitted("  " + advice, columns - tail.count) + tail }
            let room = max(5, columns - 18 - tail.count - 15)
            return String(("  --             " + needle.text(nil, width: room)).prefix(max(1, columns - tail.count)))
                + tail
        }
        let fading = Fading(strength: held.strength)
        let cents = padded(fixedPoint(shown.cents, decimals: 1, signed: true), to: 6) + " c"
        let frequency = padded(fixedPoint(shown.frequency.value, decimals: 2), to: 8) + " Hz"
        let head = String(fading.lead) + " " + padded(pitch.label, toColumns: 4) + cents + "  "
        // In words, so that colour and place are never the only sign.
        let word = shown.verdict.map { (fading == .sounding ? "" : "was ") + $0.rawValue } ?? "..."
        let fixed = head.count + 2 + frequency.count + tail.count
        let withWord = columns >= fixed + 13 + 11
        let room = columns - 1 - fixed - (withWord ? 13 : 0)
        let scale = room >= 5 ? needle.text(pitch.deviation, width: room, fading: fading) : ""
        return head + scale + (withWord ? "  " + padded(word, toColumns: 11) : "") + "  " + frequency + tail
    }
}
