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
    ///
    /// A player looks at it for a second: note, cents and the word stay the longest, then the needle. The level goes first where
    /// there is no room, then the frequency.
    package func text(columns: Int) -> String {
        let layout = Layout(columns: columns)
        let level = level.value.isFinite ? fixedPoint(level.value, decimals: 0) : "-inf"
        let tail = "  " + padded(level, to: 4) + " dB"
        guard let pitch = held.pitch else {
            // The level tells that something is heard, and there is room while there is no word.
            let text = advice.map { "  " + $0 } ?? padded("  --", toColumns: Layout.head) + scale(nil, layout)
            return fitted(fitted(text, max(1, columns - tail.count)) + tail, columns)
        }
        let fading = Fading(strength: held.strength)
        let cents = padded(fixedPoint(shown.cents, decimals: 1, signed: true), to: 6) + " c"
        var text = String(fading.lead) + " " + padded(pitch.label, toColumns: 4) + cents + "  "
        text += scale(pitch.deviation, layout, fading)
        // In words, so that colour and place are never the only sign.
        let word = shown.verdict.map { (fading == .sounding ? "" : "was ") + $0.rawValue } ?? "..."
        text += (layout.scale > 0 ? "  " : "") + padded(word, toColumns: Layout.word)
        if layout.showsFrequency {
            text += "  " + padded(fixedPoint(shown.frequency.value, decimals: 2), to: 8) + " Hz"
        }
        return fitted(text + (layout.showsLevel ? tail : ""), columns)
    }

    private func scale(_ deviation: Cents?, _ layout: Layout, _ fading: Fading = .sounding) -> String {
        layout.scale > 0 ? needle.text(deviation, width: layout.scale, fading: fading) : ""
    }

    /// What a line of some width has room for.
    private struct Layout {
        /// Columns of the note with its cents, and of the longest word, "was in tune".
        static let head = 16, word = 11
        /// Columns of frequency and level with the blanks before them.
        private static let frequency = 13, level = 9
        /// A shorter needle does not tell 10 cents; one shorter than the least is none.
        private static let legible = 11, least = 5

        let showsFrequency: Bool, showsLevel: Bool
        /// The columns of the needle; 0: none.
        let scale: Int

        init(columns: Int) {
            let room = columns - Self.head - 2 - Self.word
            showsFrequency = room >= Self.frequency + Self.legible
            showsLevel = room >= Self.frequency + Self.level + Self.legible
            let rest = room - (showsFrequency ? Self.frequency : 0) - (showsLevel ? Self.level : 0)
            scale = rest >= Self.least ? rest : 0
        }
    }
}
