package import Music

/// What some notes of a melody have in common: intonation, timing, vibrato and loudness.
package struct MelodyFigures: Sendable {
    /// How many notes.
    package let count: Int
    /// The mean deviation, each note by its length, and the standard deviation about it.
    package let deviation: Cents, spread: Cents
    /// The mean lateness and the standard deviation about it; `nil` without a grid.
    package let lateness: Duration?, scatter: Duration?
    /// The softest and the loudest note, and the mean of the levels.
    package let softest: Decibels, loudest: Decibels, level: Decibels
    /// How many notes have a vibrato, and the medians of their rates and swings.
    package let vibratoCount: Int, vibratoRate: Hertz, vibratoDepth: Cents

    /// `nil` of no notes.
    package init?(_ tones: some Collection<MelodyTone>) {
        guard !tones.isEmpty else { return nil }
        count = tones.count
        let length = tones.reduce(0) { $0 + $1.duration.inSeconds }
        func weight(_ tone: MelodyTone) -> Double {
            length > 0 ? tone.duration.inSeconds / length : 1 / Double(tones.count)
        }
        let mean = tones.reduce(0) { $0 + weight($1) * $1.deviation.value }
        let variance = tones.reduce(0.0) { sum, tone in
            let distance = tone.deviation.value - mean
            return sum + weight(tone) * distance * distance
        }
        (deviation, spread) = (Cents(mean), Cents(variance.squareRoot()))
        let late = tones.compactMap { $0.lateness?.inSeconds }
        if late.isEmpty {
            (lateness, scatter) = (nil, nil)
        } else {
            let mean = late.reduce(0, +) / Double(late.count)
            let squares = late.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            lateness = .seconds(mean)
            scatter = late.count > 1 ? .seconds((squares / Double(late.count - 1)).squareRoot()) : nil
        }
        let levels = tones.map(\.level)
        softest = levels.min() ?? 0.decibels
        loudest = levels.max() ?? 0.decibels
        level = Decibels(levels.reduce(0) { $0 + $1.value } / Double(levels.count))
        let moving = tones.filter(\.hasVibrato)
        vibratoCount = moving.count
        vibratoRate = Hertz(Self.median(moving.map(\.vibratoRate.value)))
        vibratoDepth = Cents(Self.median(moving.map(\.vibratoDepth.value)))
    }

    private static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}
