internal import Music

/// The tuner's one line on a terminal: note, octave, cents, needle, frequency, level.
public struct TunerLine: Sendable {
    private let needle: Needle
    private var held = HeldNote()
    private var level = Decibels(-.infinity)

    /// A line for a terminal that shows more than ASCII, or one that does not.
    public init(unicode: Bool) { needle = Needle(unicode: unicode) }

    /// Takes a reading in: every one, drawn or not.
    public mutating func hear(_ reading: TunedNote) {
        _ = held.hear(reading)
        level = reading.level
    }

    /// The text for what was heard, `columns` wide at most.
    public func text(columns: Int) -> String {
        let level = level.value.isFinite ? fixedPoint(level.value, decimals: 0) : "-inf"
        let tail = "  " + padded(level, to: 4) + " dB"
        guard let pitch = held.pitch else {
            let room = max(5, columns - 18 - tail.count - 15)
            return String(("  --             " + needle.text(nil, width: room)).prefix(max(1, columns - tail.count)))
                + tail
        }
        let name = pitch.label.padding(to: 4)
        let cents = padded(fixedPoint(pitch.deviation.value, decimals: 1, signed: true), to: 6) + " c"
        let frequency = padded(fixedPoint(pitch.frequency.value, decimals: 2), to: 8) + " Hz"
        let head = String(held.fading.lead) + " " + name + cents + "  "
        let word = (held.fading == .sounding ? "" : "was ") + Self.word(pitch.deviation)
        let fixed = head.count + 2 + frequency.count + tail.count
        let withWord = columns >= fixed + 13 + 11
        let room = columns - 1 - fixed - (withWord ? 13 : 0)
        let scale = room >= 5 ? needle.text(pitch.deviation, width: room, fading: held.fading) : ""
        return head + scale + (withWord ? "  " + word.padding(to: 11) : "") + "  " + frequency + tail
    }

    /// What to do about it, in a word: colour and place are never the only sign.
    private static func word(_ deviation: Cents) -> String {
        // 2 cents: below what most ears tell apart on a plucked string.
        abs(deviation.value) <= 2 ? "in tune" : deviation.value < 0 ? "flat" : "sharp"
    }
}

extension String {
    /// This text with spaces after it, `width` characters long.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth(of: self)))
    }
}
