package import Music

/// A note of a melody as a teacher hears it: its pitch, how it was played, and its place in the bar.
package struct MelodyTone: Sendable {
    /// When it begins and ends, from the start of the sound.
    package var start: Duration, end: Duration
    /// The note as it is written for the instrument, its name, and that with the octave.
    package var note: Note, name: String, label: String
    /// How far the mean pitch is from the note in tune; positive is sharp.
    package var deviation: Cents
    /// The mean frequency.
    package var frequency: Hertz
    /// The rate of the vibrato and its swing to either side; 0 without vibrato.
    package var vibratoRate: Hertz, vibratoDepth: Cents
    /// The loudest of its first 0.1 s, relative to full scale.
    package var level: Decibels
    /// Where the grid has it; `nil` without a grid.
    package var place: MelodyPlace?
    /// How much later than its place it begins; below zero: early.
    package var lateness: Duration?

    package init(
        start: Duration, end: Duration, note: Note, name: String, label: String, deviation: Cents, frequency: Hertz,
        vibratoRate: Hertz = 0.hertz, vibratoDepth: Cents = 0.cents, level: Decibels
    ) {
        (self.start, self.end, self.note, self.name, self.label) = (start, end, note, name, label)
        (self.deviation, self.frequency, self.level) = (deviation, frequency, level)
        (self.vibratoRate, self.vibratoDepth) = (vibratoRate, vibratoDepth)
    }

    package var duration: Duration { end - start }
    package var hasVibrato: Bool { vibratoDepth.value > 0 }
}

/// A place on a grid of beats.
package struct MelodyPlace: Sendable, Hashable, Comparable {
    /// Counts the beats from the first of bar 1, from 0; negative before it.
    package let beat: Int
    /// The part of the beat, from 0, of so many parts: 1, 2, 3 or 4.
    package let part: Int, parts: Int

    package init(beat: Int, part: Int = 0, parts: Int = 1) {
        (self.beat, self.part, self.parts) = (beat, part, parts)
    }

    /// Beats from the first of bar 1.
    package var position: Double { Double(beat) + Double(part) / Double(parts) }

    package static func < (lhs: MelodyPlace, rhs: MelodyPlace) -> Bool { lhs.position < rhs.position }

    /// `2`, `2 &` for the second half of beat 2, `2 3/3` for the last of three parts.
    ///
    /// - Parameter beatsPerBar: of the meter.
    package func name(beatsPerBar: Int) -> String {
        let number = "\(MelodyGrid.remainder(beat, beatsPerBar) + 1)"
        switch (part, parts) {
        case (0, _): return number
        case (1, 2), (2, 4): return number + " &"
        default: return number + " \(part + 1)/\(parts)"
        }
    }
}
