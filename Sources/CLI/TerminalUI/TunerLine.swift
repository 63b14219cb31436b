package import Intonation
internal import Music
internal import Pitch

/// The tuner on one line of a terminal: note, octave, cents, needle, frequency, level.
package struct TunerLine: Sendable {
    private let needle: Needle
    private var held = HeldNote()
    private var verdict: TuningVerdict?
    private var level = Decibels(-.infinity)

    package init(unicode: Bool) { needle = Needle(unicode: unicode) }

    /// Adds a reading. Every reading counts, whether it is drawn or not.
    package mutating func hear(_ note: TunedNote) {
        let last = held.pitch?.note
        _ = held.hear(note)
        // In words, so that colour and place are never the only sign.
        verdict = held.pitch.map { TuningVerdict($0.deviation, after: $0.note == last ? verdict : nil) }
        level = note.reading.level
    }

    /// The line, at most `columns` wide.
    package func text(columns: Int) -> String {
        let level = level.value.isFinite ? fixedPoint(level.value, decimals: 0) : "-inf"
        let tail = "  " + padded(level, to: 4) + " dB"
        guard let pitch = held.pitch, let verdict else {
            let room = max(5, columns - 18 - tail.count - 15)
            return String(("  --             " + needle.text(nil, width: room)).prefix(max(1, columns - tail.count)))
                + tail
        }
        let fading = Fading(strength: held.strength)
        let cents = padded(fixedPoint(pitch.deviation.value, decimals: 1, signed: true), to: 6) + " c"
        let frequency = padded(fixedPoint(pitch.frequency.value, decimals: 2), to: 8) + " Hz"
        let head = String(fading.lead) + " " + padded(pitch.label, toColumns: 4) + cents + "  "
        let word = (fading == .sounding ? "" : "was ") + verdict.rawValue
        let fixed = head.count + 2 + frequency.count + tail.count
        let withWord = columns >= fixed + 13 + 11
        let room = columns - 1 - fixed - (withWord ? 13 : 0)
        let scale = room >= 5 ? needle.text(pitch.deviation, width: room, fading: fading) : ""
        return head + scale + (withWord ? "  " + padded(word, toColumns: 11) : "") + "  " + frequency + tail
    }
}
